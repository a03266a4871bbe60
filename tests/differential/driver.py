"""Inside the namespace: run scripts from stdin in real bash, one JSON line in, one JSON line out.

Each script gets a home filled anew. Its output goes to files, so that what it leaves behind in the
background cannot hold the driver up; its session is killed when bash has ended.
"""
import base64
import fcntl
import json
import os
import select
import shutil
import signal
import sys
import time

HOME = "/home/user"
LIMIT = float(sys.argv[1])  # seconds for one script


def clean(folder):
    for entry in os.scandir(folder):
        if entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry.path, ignore_errors=True)
        else:
            os.unlink(entry.path)


def fill(files):
    os.chdir(HOME)
    os.chmod(HOME, 0o755)
    clean(HOME)
    clean("/tmp")
    for name, text in files.items():
        os.makedirs(os.path.dirname(os.path.join(HOME, name)), exist_ok=True)
        with open(os.path.join(HOME, name), "w") as f:
            f.write(text)


def output(name):
    fd = os.memfd_create(name)
    fcntl.fcntl(fd, fcntl.F_SETFL, os.O_RDWR | os.O_APPEND)
    return fd


def content(fd):
    with os.fdopen(fd, "rb") as f:
        f.seek(0)
        return base64.b64encode(f.read(1 << 20)).decode()


def settle(group):
    """What runs on in the background has a second to end."""
    try:
        for _ in range(200):
            os.killpg(group, 0)
            time.sleep(.005)
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        pass


def run(script, env):
    """(stdout, stderr, status); the status is None for a script that does not end."""
    null, out, err = os.open("/dev/null", os.O_RDONLY), output("1"), output("2")
    pid = os.posix_spawn("/usr/bin/bash", ["bash", "--norc", "--noprofile", "-c", "--", script], env, setsid=True,
                         setsigdef=set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP},
                         file_actions=[(os.POSIX_SPAWN_DUP2, null, 0), (os.POSIX_SPAWN_DUP2, out, 1), (os.POSIX_SPAWN_DUP2, err, 2)])
    watch = os.pidfd_open(pid)
    late = not select.select([watch], [], [], LIMIT)[0]
    if late:
        os.killpg(pid, signal.SIGKILL)
    status = os.waitpid(pid, 0)[1]
    settle(pid)
    os.close(watch)
    os.close(null)
    code = None if late else os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)
    return content(out), content(err), code


def main():
    for path, mode in (("/home", 0o555), ("/root", 0), ("/", 0o555)):
        os.chmod(path, mode)
    for line in sys.stdin:
        request = json.loads(line)
        fill(request["files"])
        out, err, status = run(request["script"], request["env"])
        print(json.dumps({"id": request["id"], "stdout": out, "stderr": err, "exit": status}), flush=True)


main()
