#!/usr/bin/env hob
#---
# agent: reviewer
# description: Stage a document, have it reviewed, give the review back
#---
fs write document.md < "$(payload document || echo document.md)"
prompt "Review document.md. Write what you find to review.md." || exit
fs read review.md | result
