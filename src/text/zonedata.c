/* zonedata.c -- the time zones of the world, made by tools/gen-zones; see zones.c for the form */
#include "text/zones.h"

/* clang-format off */
const struct date_kind zonedata_kinds[] = {
    {-57368, 0, "LMT"}, {-54124, 0, "LMT"}, {-51660, 0, "LMT"}, {-51420, 0, "LMT"},
    {-49972, 0, "LMT"}, {-48428, 0, "LMT"}, {-47284, 0, "LMT"}, {-43200, 0, "-12"},
    {-42568, 0, "LMT"}, {-42398, 0, "LMT"}, {-41400, 0, "-1130"}, {-41216, 0, "LMT"},
    {-41096, 0, "LMT"}, {-40968, 0, "LMT"}, {-40800, 0, "-1120"}, {-40780, 0, "LMT"},
    {-39698, 0, "LMT"}, {-39600, 0, "-11"}, {-39600, 0, "BST"}, {-39600, 0, "NST"},
    {-39600, 0, "SST"}, {-38400, 0, "-1040"}, {-38344, 0, "LMT"}, {-37886, 0, "LMT"},
    {-37800, 0, "-1030"}, {-37800, 0, "HST"}, {-37760, 0, "LMT"}, {-36000, 0, "-10"},
    {-36000, 0, "AHST"}, {-36000, 0, "AST"}, {-36000, 0, "HST"}, {-36000, 1, "-10"},
    {-36000, 1, "BDT"}, {-36000, 1, "NPT"}, {-36000, 1, "NWT"}, {-35976, 0, "LMT"},
    {-35896, 0, "LMT"}, {-34200, 0, "-0930"}, {-34200, 1, "-0930"}, {-34200, 1, "HDT"},
    {-34200, 1, "HPT"}, {-34200, 1, "HWT"}, {-33535, 0, "LMT"}, {-33480, 0, "LMT"},
    {-33460, 0, "LMT"}, {-32473, 0, "LMT"}, {-32412, 0, "LMT"}, {-32400, 0, "-09"},
    {-32400, 0, "AKST"}, {-32400, 0, "YST"}, {-32400, 1, "AHDT"}, {-32400, 1, "APT"},
    {-32400, 1, "AWT"}, {-32400, 1, "HDT"}, {-32388, 0, "LMT"}, {-32261, 0, "LMT"},
    {-31578, 0, "LMT"}, {-31220, 0, "LMT"}, {-30600, 0, "-0830"}, {-29548, 0, "LMT"},
    {-29447, 0, "LMT"}, {-28856, 0, "LMT"}, {-28800, 0, "-08"}, {-28800, 0, "PST"},
    {-28800, 1, "AKDT"}, {-28800, 1, "YDT"}, {-28800, 1, "YPT"}, {-28800, 1, "YWT"},
    {-28378, 0, "LMT"}, {-28084, 0, "LMT"}, {-27964, 0, "LMT"}, {-27889, 0, "LMT"},
    {-27232, 0, "LMT"}, {-26898, 0, "LMT"}, {-26632, 0, "LMT"}, {-26248, 0, "EMT"},
    {-26248, 0, "LMT"}, {-25880, 0, "LMT"}, {-25556, 0, "LMT"}, {-25540, 0, "LMT"},
    {-25460, 0, "LMT"}, {-25260, 0, "LMT"}, {-25200, 0, "-07"}, {-25200, 0, "MST"},
    {-25200, 1, "PDT"}, {-25200, 1, "PPT"}, {-25200, 1, "PWT"}, {-25200, 1, "YDDT"},
    {-25196, 0, "LMT"}, {-25116, 0, "LMT"}, {-25060, 0, "LMT"}, {-24427, 0, "LMT"},
    {-24339, 0, "LMT"}, {-24312, 0, "LMT"}, {-24076, 0, "LMT"}, {-23796, 0, "LMT"},
    {-23400, 0, "LMT"}, {-23316, 0, "LMT"}, {-21988, 0, "LMT"}, {-21724, 0, "LMT"},
    {-21600, 0, "-06"}, {-21600, 0, "CST"}, {-21600, 1, "-06"}, {-21600, 1, "MDT"},
    {-21600, 1, "MPT"}, {-21600, 1, "MWT"}, {-21508, 0, "LMT"}, {-21504, 0, "LMT"},
    {-21408, 0, "LMT"}, {-21168, 0, "LMT"}, {-21036, 0, "LMT"}, {-21027, 0, "LMT"},
    {-21007, 0, "LMT"}, {-20947, 0, "LMT"}, {-20932, 0, "LMT"}, {-20824, 0, "LMT"},
    {-20823, 0, "LMT"}, {-20790, 0, "LMT"}, {-20785, 0, "LMT"}, {-20723, 0, "LMT"},
    {-20712, 0, "MMT"}, {-20708, 0, "LMT"}, {-20678, 0, "LMT"}, {-20582, 0, "LMT"},
    {-20416, 0, "LMT"}, {-20364, 0, "LMT"}, {-20173, 0, "LMT"}, {-20173, 0, "SJMT"},
    {-19931, 0, "LMT"}, {-19800, 1, "-0530"}, {-19776, 0, "HMT"}, {-19768, 0, "LMT"},
    {-19532, 0, "LMT"}, {-19176, 0, "CMT"}, {-19160, 0, "LMT"}, {-19088, 0, "LMT"},
    {-19052, 0, "LMT"}, {-18840, 0, "QMT"}, {-18570, 0, "LMT"}, {-18516, 0, "LMT"},
    {-18492, 0, "LMT"}, {-18430, 0, "KMT"}, {-18430, 0, "LMT"}, {-18000, 0, "-05"},
    {-18000, 0, "CST"}, {-18000, 0, "EST"}, {-18000, 1, "-05"}, {-18000, 1, "CDT"},
    {-18000, 1, "CPT"}, {-18000, 1, "CWT"}, {-17776, 0, "BMT"}, {-17776, 0, "LMT"},
    {-17762, 0, "LMT"}, {-17360, 0, "LMT"}, {-17340, 0, "PPMT"}, {-17296, 0, "LMT"},
    {-17072, 0, "LMT"}, {-17020, 0, "LMT"}, {-16965, 0, "LMT"}, {-16965, 0, "SMT"},
    {-16824, 0, "LMT"}, {-16800, 0, "SDMT"}, {-16776, 0, "LMT"}, {-16768, 0, "LMT"},
    {-16612, 0, "LMT"}, {-16547, 0, "LMT"}, {-16516, 0, "LMT"}, {-16508, 0, "LMT"},
    {-16444, 0, "LMT"}, {-16392, 0, "LMT"}, {-16356, 0, "CMT"}, {-16356, 0, "LMT"},
    {-16272, 0, "LMT"}, {-16200, 0, "-0430"}, {-16200, 1, "-0430"}, {-16064, 0, "LMT"},
    {-16060, 0, "CMT"}, {-16044, 0, "LMT"}, {-15924, 0, "LMT"}, {-15865, 0, "LMT"},
    {-15788, 0, "LMT"}, {-15700, 0, "LMT"}, {-15672, 0, "LMT"}, {-15652, 0, "LMT"},
    {-15584, 0, "LMT"}, {-15558, 0, "BMT"}, {-15558, 0, "LMT"}, {-15548, 0, "LMT"},
    {-15508, 0, "LMT"}, {-15408, 0, "CMT"}, {-15408, 0, "LMT"}, {-15336, 0, "LMT"},
    {-15264, 0, "LMT"}, {-15136, 0, "LMT"}, {-15052, 0, "LMT"}, {-14932, 0, "LMT"},
    {-14832, 0, "LMT"}, {-14820, 0, "LMT"}, {-14768, 0, "LMT"}, {-14764, 0, "LMT"},
    {-14736, 0, "LMT"}, {-14696, 0, "KMT"}, {-14696, 0, "LMT"}, {-14660, 0, "FFMT"},
    {-14660, 0, "LMT"}, {-14640, 0, "CMT"}, {-14640, 0, "LMT"}, {-14560, 0, "LMT"},
    {-14500, 0, "LMT"}, {-14404, 0, "LMT"}, {-14400, 0, "-04"}, {-14400, 0, "AST"},
    {-14400, 1, "-04"}, {-14400, 1, "CDT"}, {-14400, 1, "EDT"}, {-14400, 1, "EPT"},
    {-14400, 1, "EWT"}, {-14388, 0, "LMT"}, {-14309, 0, "LMT"}, {-14028, 0, "LMT"},
    {-13959, 0, "LMT"}, {-13884, 0, "LMT"}, {-13884, 0, "SMT"}, {-13840, 0, "AMT"},
    {-13840, 0, "LMT"}, {-13708, 0, "LMT"}, {-13500, 0, "-0345"}, {-13491, 0, "LMT"},
    {-13491, 0, "MMT"}, {-13480, 0, "LMT"}, {-13460, 0, "LMT"}, {-13252, 0, "PMT"},
    {-13240, 0, "LMT"}, {-13236, 0, "PMT"}, {-13128, 0, "LMT"}, {-13108, 0, "LMT"},
    {-12756, 1, "BST"}, {-12652, 0, "LMT"}, {-12652, 0, "NST"}, {-12600, 0, "-0330"},
    {-12600, 0, "NST"}, {-12600, 1, "-0330"}, {-12560, 0, "LMT"}, {-12416, 0, "LMT"},
    {-11958, 1, "BST"}, {-11636, 0, "LMT"}, {-11568, 0, "LMT"}, {-11188, 0, "LMT"},
    {-10800, 0, "-03"}, {-10800, 1, "-03"}, {-10800, 1, "ADT"}, {-10800, 1, "APT"},
    {-10800, 1, "AWT"}, {-9244, 0, "LMT"}, {-9240, 0, "LMT"}, {-9052, 1, "NDT"},
    {-9000, 1, "-0230"}, {-9000, 1, "NDT"}, {-9000, 1, "NPT"}, {-9000, 1, "NWT"}, {-8768, 0, "LMT"},
    {-8572, 0, "LMT"}, {-8376, 0, "LMT"}, {-7780, 0, "LMT"}, {-7200, 0, "-02"}, {-7200, 1, "-02"},
    {-7200, 1, "ADDT"}, {-6872, 0, "HMT"}, {-6160, 0, "LMT"}, {-5644, 0, "LMT"},
    {-5400, 1, "-0130"}, {-5400, 1, "NDDT"}, {-5280, 0, "LMT"}, {-5272, 0, "LMT"},
    {-4480, 0, "LMT"}, {-4184, 0, "LMT"}, {-4056, 0, "FMT"}, {-4056, 0, "LMT"}, {-3996, 0, "BMT"},
    {-3996, 0, "LMT"}, {-3828, 0, "LMT"}, {-3740, 0, "LMT"}, {-3696, 0, "LMT"}, {-3600, 0, "-01"},
    {-3600, 1, "-01"}, {-3292, 0, "LMT"}, {-3180, 0, "FMT"}, {-3180, 0, "LMT"}, {-3168, 0, "LMT"},
    {-2670, 0, "MMT"}, {-2588, 0, "LMT"}, {-2588, 0, "MMT"}, {-2400, 1, "-0040"}, {-2205, 0, "LMT"},
    {-1920, 0, "LMT"}, {-1820, 0, "LMT"}, {-1624, 0, "LMT"}, {-1521, 0, "DMT"}, {-1521, 0, "LMT"},
    {-1368, 0, "JMT"}, {-1368, 0, "LMT"}, {-1284, 0, "LMT"}, {-1276, 0, "LMT"}, {-1075, 0, "LMT"},
    {-968, 0, "LMT"}, {-884, 0, "LMT"}, {-609, 0, "LMT"}, {-506, 0, "LMT"}, {-364, 0, "LMT"},
    {-75, 0, "LMT"}, {-52, 0, "LMT"}, {0, 0, "+00"}, {0, 0, "-00"}, {0, 0, "GMT"}, {0, 0, "UTC"},
    {0, 0, "WET"}, {0, 1, "+00"}, {0, 1, "GMT"}, {292, 0, "LMT"}, {364, 0, "LMT"}, {508, 0, "LMT"},
    {561, 0, "LMT"}, {561, 0, "PMT"}, {628, 0, "LMT"}, {732, 0, "LMT"}, {815, 0, "LMT"},
    {1050, 0, "BMT"}, {1050, 0, "LMT"}, {1172, 0, "AMT"}, {1172, 0, "LMT"}, {1200, 0, "+0020"},
    {1200, 1, "+0020"}, {1476, 0, "LMT"}, {1616, 0, "LMT"}, {1772, 0, "LMT"}, {1786, 0, "BMT"},
    {1800, 0, "+0030"}, {1800, 1, "+0030"}, {2048, 0, "LMT"}, {2079, 1, "IST"}, {2108, 0, "LMT"},
    {2268, 0, "LMT"}, {2284, 0, "LMT"}, {2328, 0, "LMT"}, {2444, 0, "LMT"}, {2580, 0, "LMT"},
    {2996, 0, "LMT"}, {2996, 0, "RMT"}, {3020, 0, "CMT"}, {3020, 0, "LMT"}, {3124, 0, "LMT"},
    {3164, 0, "LMT"}, {3176, 0, "LMT"}, {3208, 0, "LMT"}, {3464, 0, "LMT"}, {3464, 0, "PMT"},
    {3484, 0, "LMT"}, {3600, 0, "+01"}, {3600, 0, "BST"}, {3600, 0, "CET"}, {3600, 0, "IST"},
    {3600, 0, "MET"}, {3600, 0, "WAT"}, {3600, 0, "WET"}, {3600, 1, "+01"}, {3600, 1, "BST"},
    {3600, 1, "IST"}, {3600, 1, "WAT"}, {3600, 1, "WEST"}, {3612, 0, "LMT"}, {3614, 0, "SET"},
    {3668, 0, "LMT"}, {3672, 0, "LMT"}, {3832, 0, "LMT"}, {3921, 0, "LMT"}, {4104, 0, "LMT"},
    {4332, 0, "LMT"}, {4420, 0, "LMT"}, {4460, 0, "LMT"}, {4580, 0, "LMT"}, {4760, 0, "LMT"},
    {4772, 1, "NST"}, {4800, 1, "+0120"}, {4920, 0, "LMT"}, {5040, 0, "LMT"}, {5040, 0, "WMT"},
    {5144, 0, "LMT"}, {5400, 0, "+0130"}, {5400, 0, "SAST"}, {5596, 0, "LMT"}, {5692, 0, "AMT"},
    {5692, 0, "LMT"}, {5736, 0, "KMT"}, {5794, 0, "LMT"}, {5794, 0, "RMT"}, {5940, 0, "LMT"},
    {5940, 0, "TMT"}, {5989, 0, "HMT"}, {5989, 0, "LMT"}, {6076, 0, "LMT"}, {6220, 0, "LMT"},
    {6264, 0, "BMT"}, {6264, 0, "LMT"}, {6592, 0, "LMT"}, {6600, 0, "LMT"}, {6600, 0, "MMT"},
    {6616, 0, "LMT"}, {6720, 0, "LMT"}, {6788, 0, "LMT"}, {6900, 0, "CMT"}, {6920, 0, "LMT"},
    {6952, 0, "LMT"}, {7016, 0, "IMT"}, {7048, 0, "LMT"}, {7200, 0, "+02"}, {7200, 0, "CAT"},
    {7200, 0, "EET"}, {7200, 0, "IST"}, {7200, 0, "SAST"}, {7200, 1, "+02"}, {7200, 1, "BDST"},
    {7200, 1, "CEST"}, {7200, 1, "MEST"}, {7200, 1, "WAST"}, {7200, 1, "WEMT"}, {7200, 1, "WEST"},
    {7216, 0, "LMT"}, {7324, 0, "KMT"}, {7324, 0, "LMT"}, {7452, 0, "LMT"}, {7464, 0, "LMT"},
    {7509, 0, "LMT"}, {7588, 0, "LMT"}, {7780, 0, "LMT"}, {7808, 0, "LMT"}, {7818, 0, "LMT"},
    {8008, 0, "LMT"}, {8148, 0, "LMT"}, {8160, 0, "SMT"}, {8184, 0, "LMT"}, {8272, 0, "LMT"},
    {8400, 0, "LMT"}, {8423, 0, "LMT"}, {8440, 0, "JMT"}, {8454, 0, "LMT"}, {8460, 0, "ZMT"},
    {8470, 0, "ZMT"}, {8520, 0, "LMT"}, {8624, 0, "LMT"}, {8712, 0, "LMT"}, {8836, 0, "LMT"},
    {9000, 0, "+0230"}, {9017, 0, "LMT"}, {9017, 0, "MMT"}, {9079, 0, "MMT"}, {9288, 0, "LMT"},
    {9320, 0, "ADMT"}, {9332, 0, "AMT"}, {9332, 0, "LMT"}, {9394, 1, "LST"}, {9428, 0, "LMT"},
    {9900, 0, "+0245"}, {10356, 0, "LMT"}, {10384, 0, "LMT"}, {10656, 0, "BMT"}, {10660, 0, "LMT"},
    {10680, 0, "LMT"}, {10751, 0, "LMT"}, {10751, 0, "TBMT"}, {10794, 0, "LMT"}, {10800, 0, "+03"},
    {10800, 0, "EAT"}, {10800, 0, "MSK"}, {10800, 1, "+03"}, {10800, 1, "CAST"}, {10800, 1, "CEMT"},
    {10800, 1, "EEST"}, {10800, 1, "IDT"}, {10800, 1, "SAST"}, {10856, 0, "LMT"}, {10888, 0, "LMT"},
    {11058, 0, "LMT"}, {11212, 0, "LMT"}, {11404, 0, "LMT"}, {11516, 0, "LMT"}, {11532, 0, "LMT"},
    {11616, 0, "LMT"}, {11928, 0, "LMT"}, {11964, 0, "LMT"}, {12020, 0, "LMT"}, {12064, 0, "LMT"},
    {12140, 0, "LMT"}, {12324, 0, "LMT"}, {12344, 0, "LMT"}, {12344, 0, "TMT"}, {12368, 0, "LMT"},
    {12464, 0, "LMT"}, {12600, 0, "+0330"}, {12679, 1, "MST"}, {13272, 0, "LMT"}, {13308, 0, "LMT"},
    {13312, 0, "LMT"}, {13505, 0, "PMT"}, {13720, 0, "LMT"}, {13800, 0, "LMT"}, {14012, 0, "LMT"},
    {14064, 0, "LMT"}, {14400, 0, "+04"}, {14400, 0, "MSK"}, {14400, 1, "+04"}, {14400, 1, "EAST"},
    {14400, 1, "IDDT"}, {14400, 1, "MSD"}, {14553, 0, "LMT"}, {15268, 0, "LMT"}, {15712, 0, "LMT"},
    {16073, 0, "LMT"}, {16092, 0, "LMT"}, {16200, 0, "+0430"}, {16200, 1, "+0430"},
    {16279, 1, "MDST"}, {16512, 0, "LMT"}, {16608, 0, "LMT"}, {16631, 0, "LMT"}, {17380, 0, "LMT"},
    {17610, 0, "LMT"}, {17640, 0, "LMT"}, {17640, 0, "MMT"}, {17904, 0, "LMT"}, {18000, 0, "+05"},
    {18000, 0, "PKT"}, {18000, 1, "+05"}, {18468, 0, "LMT"}, {19164, 0, "LMT"}, {19172, 0, "MMT"},
    {19270, 0, "MMT"}, {19800, 0, "+0530"}, {19800, 0, "IST"}, {19900, 0, "LMT"}, {20100, 0, "LMT"},
    {20391, 0, "LMT"}, {20476, 0, "LMT"}, {20700, 0, "+0545"}, {20928, 0, "LMT"}, {21020, 0, "LMT"},
    {21200, 0, "HMT"}, {21208, 0, "LMT"}, {21516, 0, "LMT"}, {21600, 0, "+06"}, {21600, 1, "+06"},
    {21600, 1, "PKST"}, {21700, 0, "LMT"}, {21996, 0, "LMT"}, {22286, 0, "LMT"}, {23087, 0, "LMT"},
    {23087, 0, "RMT"}, {23260, 0, "LMT"}, {23400, 0, "+0630"}, {23400, 1, "+0630"},
    {24124, 0, "BMT"}, {24124, 0, "LMT"}, {24406, 0, "LMT"}, {24624, 0, "LMT"}, {24925, 0, "LMT"},
    {24925, 0, "SMT"}, {25025, 0, "IMT"}, {25025, 0, "LMT"}, {25180, 0, "LMT"}, {25200, 0, "+07"},
    {25200, 0, "WIB"}, {25200, 1, "+07"}, {25372, 0, "LMT"}, {25590, 0, "LMT"}, {25590, 0, "PLMT"},
    {25632, 0, "BMT"}, {25632, 0, "LMT"}, {25652, 0, "LMT"}, {26240, 0, "LMT"}, {26240, 0, "PMT"},
    {26400, 0, "+0720"}, {26400, 1, "+0720"}, {26480, 0, "LMT"}, {27000, 0, "+0730"},
    {27232, 0, "LMT"}, {27250, 0, "LMT"}, {27402, 0, "LMT"}, {27580, 0, "LMT"}, {27804, 0, "LMT"},
    {28656, 0, "LMT"}, {28656, 0, "MMT"}, {28800, 0, "+08"}, {28800, 0, "AWST"}, {28800, 0, "CST"},
    {28800, 0, "HKT"}, {28800, 0, "PST"}, {28800, 0, "WITA"}, {28800, 1, "+08"}, {29032, 0, "LMT"},
    {29143, 0, "LMT"}, {29160, 0, "LMT"}, {30000, 1, "+0820"}, {30140, 0, "LMT"}, {30180, 0, "LMT"},
    {30472, 0, "LMT"}, {30600, 0, "KST"}, {30600, 1, "HKWT"}, {30928, 0, "LMT"}, {31138, 0, "LMT"},
    {31400, 0, "LMT"}, {31500, 0, "+0845"}, {31651, 0, "LMT"}, {32276, 0, "LMT"}, {32400, 0, "+09"},
    {32400, 0, "ACST"}, {32400, 0, "JST"}, {32400, 0, "KST"}, {32400, 0, "WIT"}, {32400, 1, "+09"},
    {32400, 1, "AWDT"}, {32400, 1, "CDT"}, {32400, 1, "HKST"}, {32400, 1, "PDT"}, {32533, 0, "LMT"},
    {33260, 0, "LMT"}, {33539, 0, "LMT"}, {33768, 0, "LMT"}, {33948, 0, "LMT"}, {34200, 0, "+0930"},
    {34200, 0, "ACST"}, {34200, 1, "KDT"}, {34248, 0, "LMT"}, {34374, 0, "LMT"}, {34740, 0, "LMT"},
    {34792, 0, "LMT"}, {34980, 0, "LMT"}, {35100, 1, "+0945"}, {35312, 0, "PMMT"},
    {35320, 0, "LMT"}, {35356, 0, "LMT"}, {35756, 0, "LMT"}, {36000, 0, "+10"}, {36000, 0, "AEST"},
    {36000, 0, "ChST"}, {36000, 0, "GST"}, {36000, 1, "+10"}, {36000, 1, "JDT"}, {36000, 1, "KDT"},
    {36192, 0, "LMT"}, {36292, 0, "LMT"}, {36428, 0, "LMT"}, {36728, 0, "LMT"}, {36892, 0, "LMT"},
    {37336, 0, "LMT"}, {37800, 0, "+1030"}, {37800, 1, "ACDT"}, {37972, 0, "LMT"},
    {38076, 0, "LMT"}, {38180, 0, "LMT"}, {38388, 0, "LMT"}, {39116, 0, "LMT"}, {39600, 0, "+11"},
    {39600, 1, "+11"}, {39600, 1, "AEDT"}, {39600, 1, "GDT"}, {39948, 0, "LMT"}, {39988, 0, "LMT"},
    {40060, 0, "LMT"}, {40160, 0, "LMT"}, {40312, 0, "LMT"}, {40320, 0, "+1112"}, {40396, 0, "LMT"},
    {41088, 0, "LMT"}, {41400, 0, "+1130"}, {41400, 0, "NZMT"}, {41400, 1, "+1130"},
    {41524, 0, "LMT"}, {41944, 0, "LMT"}, {42596, 0, "LMT"}, {42944, 0, "LMT"}, {43012, 0, "LMT"},
    {43200, 0, "+12"}, {43200, 0, "NZST"}, {43200, 1, "+12"}, {43200, 1, "NZST"}, {44002, 0, "LMT"},
    {44028, 0, "LMT"}, {44100, 0, "+1215"}, {44120, 0, "LMT"}, {44352, 0, "LMT"},
    {44400, 0, "+1220"}, {45000, 1, "+1230"}, {45000, 1, "NZST"}, {45184, 0, "LMT"},
    {45432, 0, "LMT"}, {45900, 0, "+1245"}, {46702, 0, "LMT"}, {46800, 0, "+13"}, {46800, 1, "+13"},
    {46800, 1, "NZDT"}, {48056, 0, "LMT"}, {49500, 1, "+1345"}, {50400, 0, "+14"},
    {50400, 1, "+14"}, {50424, 0, "LMT"}, {52865, 0, "LMT"}, {53927, 0, "LMT"}, {54139, 0, "LMT"},
    {54822, 0, "LMT"},
};

const struct zone_row zonedata_rows[] = {
    {"GMT0", "wE5E", "xk7p+mPB"}, {"GMT0", "2E5ELFQFRF", "pj8lluPB5kws0HChn4oGBhr5moBChlpjUBhzwhoBC"
    "AChlpjUBhr5moBChlpjUBhzwhoBCAChlpjUBhr5moBChlpjUBhzwhoBCAChlpjUBhr5moBChlpjUBhzwhoBCAChlpjUBhr"
    "5moBChlpjUBhzwhoBCAChlpjUBhjl+TCht9roBBhr84TCht9roBBh5goGD83rIB0y+JE87WBkytBE87WBk4tBE87WBkytB"
    "EAC87WB"}, {"EAT-3", "HHIHXH", "x7+v+3MBhus/48DC"}, {"CET-1", "EFCF7EwFnFlG", "py/16/NB3y66ylB"
    "Cjq088JDguUCg0gBDg+kBCg2cDgynBCgsbDg8oBCg4YDgovBCg0aDgySCgggnBDo4MCwsSE4h5IF4njBEoghBFwpfEgsoC"
    "Co29TE4vtPCgkmRDg8cCoggMD4vfEo8cFokiBEw5qCCokiBDoujBC4jiBE"},
    {"EAT-3", "KHJHIHXH", "54+v+3MBg25qBC549kl3CD"},
    {"EAT-3", "CHDHXHNH", "5/6uhgPB5lk89lBC81nDBk2+OD+j+LC"},
    {"GMT0", "mE5EbE", "hg9p+mPBhoxw1pBCoiq4BB"}, {"WAT-1", "6FqF", "pxwp+mPB"},
    {"GMT0", "XEWEbE5E", "5hhq+mPBgmvtBCpn0+zQD"}, {"GMT0", "ZEbE5E", "hpgq+mPBgy6mEC"},
    {"CAT-2", "5G+G9GfG", "hjo4jmPB17j1wFC1o+p2UD"}, {"WAT-1", "zFqF", "5iyp+mPB"},
    {"CAT-2", "dGfG", "x/xqy9NB"}, {"EET-2EEST,M4.5.5/0,M10.5.4/24", "vGgGcH", "364k5xOBrzz56qCC4zO"
    "Bo4kBC47cBo+kBC4lnBBoodC4joBBowcC4joBBokfC4plBBog1YC4/aBo4nBC41cBw4nBCowcB4joBCowcB49nBCACowcB"
    "4joBCowcB49nBCABo2cB43nBCo2cB49nBCo2cB43nBCACo2cB49nBCo2cB43nBCACo2cB49nBCo2cB43nBCACo2cB49nBC"
    "o2cB43nBCo2cB413BCo4MB4n1BComPB49nBCo2cB43nBCACo2cB49nBCo2cB41oBCo4bB43nBCo2cBAB49nBCo2cB43nBC"
    "ABo2cBwlnBC47cBosnBCAC47cBo2oBC47cBosnBCAD47cBo2oBC47cBosnBCAB4xbBo2oBC49YBoqrBC4zXBo0sBC4pWBo"
    "ovBC4pTBo0FC49DBoi4HC47HBoyGC4vKBogsSC4jiBB"}, {"<+01>-1", "nE3EsFlF8E", "55u3rqPBput01wBC43MB"
    "osSC4toMBos4JC4naBoxwjBC4sWBo8sOC49MBogyDC4nRBomzBC4jcBokuBC4/LBoygMD4/6DBoi/vBC4nRBomzBC4lPBo"
    "0vBC4rSBo0sBC4pWB4mzBCgsPBg6FCg2HBgsnBCgkNBgsGCg0OBg8cCg8QBgyGCg+PBg8cCguOBgyGCgsSBg8cCgkNBgyG"
    "CggVBgybCgwKBg8HCgqWBgybCgmJBgyGCg+YDgujBEgyGDgi7BEg8HDgi7BEgyGDgi7BEg8HDgi7BEgyGDgs8BEgyGDgi7"
    "BEg8HDgi7BEgyGDgs8BEgyGDgi7BEg8HDgi7BEgyGDgi7BEg8HDgi7BEgyGDgs8BEgyGDgi7BEg8HDgi7BEgyGDgi7BEg8"
    "HDABgi7BEgyGDgi7BEg8HDgi7BEgyGDgs8BEgyGDgi7BEg8HDgi7BEgyGDgi7BEg8HDABgi7BEgyGDgi7BEg8HDgi7BEgy"
    "GDgs8BEgyGDgi7BEg8HDgi7BEgyGDgi7BEg8HDABgi7BEgyGDgi7BEg8HDgi7BEgyGDgs8BEgyGDgi7BEg8HDgi7BEgyGD"
    "gi7BEg8HDABgi7BEgyGDgi7BEg8HDgi7BEgyGDgs8BEgyGDgi7BEg8HDgi7BEgyGDgi7BEg8HDABgi7BEgyGDgi7BEg8HD"
    "gi7BEgyGDgs8BEgyGDgi7BEg8HDgi7BEgyGDgi7BEg8HDABgi7BEgyGDgi7BEg8HDgi7BEgyGDgs8BEgyGDgi7BEg8HDgi"
    "7BEgyGDgi7BEg8HDgi7BEgyGDgs8BEgyGDgi7BEg8HDgi7BEgyGDgs8BEgyGDgi7BEg8HD"},
    {"CET-1CEST,M3.5.0,M10.5.0/3", "uE7EwFnFlG", "hwsqoyOB45jlBC47cBos6LCoigBB4/oDCowfB4tjBCo6gBBg4"
    "kBCg6gBBgn3yCC4sWBo8sOC49MBogyDC4nRBomzBC4jcBokuBC4/LBoygMDowrEEgkiBDgkiBEADgujBDgkiBEgkiBDAEg"
    "ujBE"}, {"GMT0", "dE5EbE", "51/p+mPBpyuw1pBCogq3BB"}, {"GMT0", "TEbE5E", "xthq+mPBx74xq3BC"},
    {"EAT-3", "MHXHNH", "567+1qQBpi2m/fCiu6bB"}, {"EAT-3", "OHXH", "5g7+/lPB"},
    {"WAT-1", "XFqF", "x20p+mPB"}, {"<+01>-1", "gEbE3EsFlF8E", "huqzqwQBh7/ixvCC4lDD4nRComzBD4jcCok"
    "uBD4/LCo06/BD4nRComzBD4lPCo0vBD4rSCo0sBD4pWC4mzBDgsPCg6FDg2HCgsnBDgkNCgsGDg0OCg8cDg8QCgyGDg+PC"
    "g8cDguOCgyGDgsSCg8cDgkNCgyGDggVCgybDgwKCg8HDgqWCgybDgmJCgyGDg+YEgujBFgyGEgi7BFg8HEgi7BFgyGEgi7"
    "BFg8HEgi7BFgyGEgs8BFgyGEgi7BFg8HEgi7BFgyGEgs8BFgyGEgi7BFg8HEgi7BFgyGEgi7BFg8HEgi7BFgyGEgs8BFgy"
    "GEgi7BFg8HEgi7BFgyGEgi7BFg8HEABgi7BFgyGEgi7BFg8HEgi7BFgyGEgs8BFgyGEgi7BFg8HEgi7BFgyGEgi7BFg8HE"
    "ABgi7BFgyGEgi7BFg8HEgi7BFgyGEgs8BFgyGEgi7BFg8HEgi7BFgyGEgi7BFg8HEABgi7BFgyGEgi7BFg8HEgi7BFgyGE"
    "gs8BFgyGEgi7BFg8HEgi7BFgyGEgi7BFg8HEABgi7BFgyGEgi7BFg8HEgi7BFgyGEgs8BFgyGEgi7BFg8HEgi7BFgyGEgi"
    "7BFg8HEABgi7BFgyGEgi7BFg8HEgi7BFgyGEgs8BFgyGEgi7BFg8HEgi7BFgyGEgi7BFg8HEABgi7BFgyGEgi7BFg8HEgi"
    "7BFgyGEgs8BFgyGEgi7BFg8HEgi7BFgyGEgi7BFg8HEgi7BFgyGEgs8BFgyGEgi7BFg8HEgi7BFgyGEgs8BFgyGEgi7BFg"
    "8HE"}, {"GMT0", "fEeEbEkE5E", "5um6wuNBg6sjCCpyw8wkBDhtg+TChj9mZDh189iBCABhj9mZDhtljjBChj9mZDh"
    "189iBCABhj9mZDhty/sBChrnlPDh1gVChrs5nEE"},
    {"CAT-2", "QGEGfGaH", "pjqtl0NBpzv9kiBCso52CD4jiBC"}, {"CAT-2", "tGfG", "p21qq2OB"},
    {"SAST-2", "XGEGiGeH", "h0y8whOBxinu5UCsg10CD4jiBCokiBD4jiBC"}, {"CAT-2", "wGfGaHXH", "5t/+1qQB"
    "pw+o/pCC4pfBo+kBC4vfBoklBC4vfBo4kBC41fBoykBC47fBoskBC4hgBBomkBC4tgBBo6jBC4zgBBo+kBC4vfBo4kBC41"
    "fBoykBC4hgBBomkBC4ngBBogkBC4tgBBo6jBC4zgBBo+kBC41fBoykBC47fBohweD4shtBB"},
    {"EAT-3", "xGXHDHNH", "5xhr/lQBp79u6CCk0wmBD+voTB"}, {"CAT-2", "yGfGaHXH", "hg/+1qQBh++o/pCC4pf"
    "Bo+kBC4vfBoklBC4vfBo4kBC41fBoykBC47fBoskBC4hgBBomkBC4tgBBo6jBC4zgBBo+kBC4vfBo4kBC41fBoykBC4hgB"
    "BomkBC4ngBBogkBC4tgBBo6jBC4zgBBo+kBC41fBoykBC47fBohweD40imBB"}, {"CAT-2", "qGfG", "hl5z/yQB"},
    {"WAT-1", "0FqF", "xqokrsOB"}, {"WAT-1", "FF5EQFqF", "jtq926OB/y3z0FAj9xnrKCv61+0KD"},
    {"WAT-1", "VFqF", "p60p+mPB"}, {"GMT0", "+E5E", "5l1+mjOB"},
    {"WAT-1", "gFeFqF", "xht0qhOBxll1zlBC"}, {"CAT-2", "TGqFfG", "h0ikrsOBhr90nqBC"},
    {"CAT-2", "YGfG", "5/2qq2OB"}, {"WAT-1", "UF5EqF", "pk1p+mPB5j8k3hDC"},
    {"CAT-2", "zGfG", "t386phPB"}, {"SAST-2", "UGiGeH", "xr3qq2OBx8x+osCC4jiBB"},
    {"SAST-2", "uGiG", "x11qq2OB"}, {"EAT-3", "gHXHDH", "xvkh5kOBx1098lCCk203BB"},
    {"GMT0", "iEjEhE5E", "5pl6wuNBg4wvCCl92rtjDD"}, {"WAT-1", "xFqFnG", "pmyp+mPB5w4/v/DC4rbB"},
    {"WAT-1", "AFbE5EqF", "po4p+mPB5g9w1pBC4/p3BD"}, {"GMT0", "YE5EbE", "p3gq+mPB5wtw1pBCooo5BB"},
    {"GMT0", "0E5E", "5+5p+mPB"}, {"WAT-1", "DF5EqF", "5g4p+mPBpn2w1pBC"},
    {"GMT0", "NFlE5EqF", "hzwjpyNBh1om10BCou7iHDgukCC"}, {"EET-2", "fFnFlGgG", "pyy6/1PB5+3j57BCo5O"
    "B4q5DCo3PBou3DC4tRBowtGD4lnxBBo8QC4piBBokiBC4piBBoqiBC4piBBoijBC4rhBBo2iBC4jiBBo4hBC4piBBoqiBC"
    "4piBBokiBC4piBBoqoBD492NBo8iBC4piBDwoqgBBgiaCgsnBD"}, {"CET-1", "YFCFnFlG", "p/7nqtNB3l+oj4BCj"
    "p8o70BDg2oBCgySDgouDCo8cDw0sBCgybD4xDCowBD4reCokiBDonjBC4ghBDopfCou1jCDgybCgipBDg2cCgi2UDg4VCg"
    "kiBDgkiBCgipBDgwcCg6mfDowcComhBDg2oBCgybDg2oBCg8cDgsnBC"}, {"CAT-2", "3FDGiGeHfGvF", "x338whOB"
    "h/hu5UCsg10CD4jiBC45ykDEg+xIF4qfE4rnBFo8cE41oBFoybE41oBFo8cE4rnBFADo8cE41oBFoybE41oBFo8cE4rnBF"
    "ADo8cE41oBFo8cE4rnBFADo8cE41oBFoybE41oBFo8cE4rnBFACo8cE"},
    {"HST10HDT,M3.2.0,M11.1.0", "sKJATAiAhASAgAcAeA1A", "j9w75zMB7oux49BCln1nguCDwuwHEo3IC4tguBFw+t"
    "EG4jiBFokiBGAB4tjBFokiBG4jiBFABokNG4j3BFoqWG49tBFokiBG4tjBFo6gBG4tjBFokiBG4jiBFADokiBG4tjBFo6g"
    "BG4tjBHw5FIwqcJ4jiBIokiBJAB4jiBIomeJ4hmBIomeJ4rnBIo8cJAB4rnBIomeJ4hmBIABomeJ4rnBIo8cJAB4rnBIom"
    "eJ4hmBIAComeJ4rnBIo8cJAB4rnBIomeJ4hmBIABomeJ4rnBIo8cJAB4rnBIo+YJ"},
    {"AKST9AKDT,M3.2.0,M11.1.0", "/KjAdA0AzAcAyAxAwAAB", "j9w75zMBv3hx49BCx36nguCD4uwHEg3IC4tguBFw+"
    "tEG4jiBFokiBGAB4tjBFokiBG4jiBFABokNG4j3BFoqWG49tBFokiBG4tjBFo6gBG4tjBFokiBG4jiBFADokiBG4tjBFo6"
    "gBG4tjBHw5FIwqcJ4jiBIokiBJAB4jiBIomeJ4hmBIomeJ4rnBIo8cJAB4rnBIomeJ4hmBIABomeJ4rnBIo8cJAB4rnBIo"
    "meJ4hmBIAComeJ4rnBIo8cJAB4rnBIomeJ4hmBIABomeJ4rnBIo8cJAB4rnBIo+YJ"},
    {"AST4", "BDTD", "hyssonPB"}, {"AST4", "EDRCTD", "h/rsonPBhm0uhpCC"}, {"<-03>3", "2D4DJE", "hjs"
    "52qPBh7qzshBCg7hBBo2iBC43hBBow1jBCgwZBg+qBC41WBo4tBC47WBo4tBC47QBo6hXC4xPBog/BC4hLBo+tBC47QBo+"
    "tBC4vWBo+tBC41WBoq6lBC49YBogqBC4/UBouvBC41TBoovBC41TBoywBC4pWBowkMC4pWBo0sBC49YBowrBC4rbBogqBC"
    "49YBogqBC4xbBogqBC49YBo0sBC4zXBoywBC41TBo62UC4pWB"}, {"<-03>3", "bD9CSD5D4DJE", "5kmi1mOBpuz3+"
    "vBChxhj9TD41WCo+kBD47ZCo+tBD4vWCACo+tBD41WCo+tBD4vWCACo+tBD41WCo8WD4thCCo8WD456DCoiOD43iFCokoB"
    "D4lskBCoiOD4tOCo4qBD41ZCABo4qBD41fCokiBD4tjBCokiBD4jiBCokiBE4xmJF4rSEognfF4zREogqBF4naEoqrBF49"
    "YEABoqrBF4naEomiODgwcEg83QF4tOEo2oBF4xbE"}, {"<-03>3", "0C9CSD5D4DJE", "5ypi1mOBpgw3+vBChxhj9T"
    "D41WCo+kBD47ZCo+tBD4vWCACo+tBD41WCo+tBD4vWCACo+tBD41WCo8WD4thCCo8WD456DCoiOD43iFCokoBD4lskBCoi"
    "OD4tOCo4qBD41ZCABo4qBD41fCokiBD4tjBCokiBD4jiBCokiBE4xmJF4rSEognfF4zREogqBF4naEoqrBF49YCwqrBFw9"
    "YEoqrBF4naEomiODgwcEg6iJCoyDE4vxHF4tOE"}, {"<-03>3", "+C9CSD5D4DJE", "h7oi1mOBgmy2BChxhj9TD41W"
    "Co+kBD47ZCo+tBD4vWCACo+tBD41WCo+tBD4vWCACo+tBD41WCo8WD4thCCo8WD456DCoiOD43iFCokoBD4lskBCoiOD4t"
    "OCo4qBD41ZCABo4qBD41fCokiBD4tjBCokiBD4jiBCokiBE4xmJF4rSEognfF4zREogqBF4naEoqrBF49YCwqrBFw9YEoq"
    "rBF4naEomiODgwcEg83QF4tOEo2oBF4xbE"}, {"<-03>3", "2C9CSD5D4DJE", "xrpi1mOBxnw3+vBChxhj9TD41WCo"
    "+kBD47ZCo+tBD4vWCACo+tBD41WCo+tBD4vWCACo+tBD41WCo8WD4thCCo8WD456DCoiOD43iFCokoBD4lskBCoiOD4tOC"
    "o4qBD41ZCABo4qBD41fCokiBD4tjBCokiBD4jiBCokiBE4xmJF4rSEognfF4zREogqBF4naCw0sBD4naCoimBFwxbEoqrB"
    "F4naEomiODgwcEg83QF4tOE"}, {"<-03>3", "xC9CSD5D4DJE", "5iqi1mOBpwv3+vBChxhj9TD41WCo+kBD47ZCo+t"
    "BD4vWCACo+tBD41WCo+tBD4vWCACo+tBD41WCo8WD4thCCo8WD456DCoiOD43iFCokoBD4lskBCoiOD4tOCo4qBD41ZCAB"
    "o4qBD41fCokiBD4tjBCokiBD4jiBCokiBE4xmJF4rSEognfF4zREogqBF4naEoqrBF4xYCwyME4jfF49YEoqrBF4naEomi"
    "ODgwcEg6iJCoyDE4vxHF4tOE"}, {"<-03>3", "mC9CSD5D4DJE", "pgri1mOB5yu3+vBChxhj9TD41WCo+kBD47ZCo+"
    "tBD4vWCACo+tBD41WCo+tBD4vWCACo+tBD41WCo8WD4thCCo8WD456DCoiOD43iFCokoBD4lskBCoiOD4tOCo4qBD41ZCA"
    "Bo4qBD41fCokiBD4tjBCokiBD4jiBCokiBE4xmJF4rSEognfF4zREogqBF4naCwmqBD41ZCo4qBD47ZCoqrBFwnaEomiOD"
    "gwcEgkhJCo0XE4j/GF4tOE"}, {"<-03>3", "kC9CSD5D4DJE", "pmri1mOB5su3+vBChxhj9TD41WCo+kBD47ZCo+tB"
    "D4vWCACo+tBD41WCo+tBD4vWCACo+tBD41WCo8WD4thCCo8WD456DCoiOD43iFCokoBD4lskBCoiOD4tOCo4qBD41ZCABo"
    "4qBD41fCokiBD4tjBCokiBD4jiBCokiBE4xmJF4rSEognfF4zREogqBF4naEoqrBF49YEABoqrBF4naEomiODgwcEg6iJC"
    "oyDE4vxHF4tOE"}, {"<-03>3", "1C9CSD5D4DJE", "ptpi1mOB5lw3+vBChxhj9TD41WCo+kBD47ZCo+tBD4vWCACo+"
    "tBD41WCo+tBD4vWCACo+tBD41WCo8WD4thCCo8WD456DCoiOD43iFCokoBD4lskBCoiOD4tOCo4qBD41ZCABo4qBD41fCo"
    "kiBD4tjBCokiBD4jiBCokiBE4xmJF4rSEognfF4zREogqBF4naEoqrBF49YCwqrBFw9YEoqrBF4naEomiODgwcEg83QF4t"
    "OE"}, {"<-03>3", "oC9CSD5D4DJE", "57qi1mOBp3u3+vBChxhj9TD41WCo+kBD47ZCo+tBD4vWCACo+tBD41WCo+tB"
    "D4vWCACo+tBD41WCo8WD4thCCo8WD456DCoiOD43iFCokoBD4lskBCoiOD4tOCo4qBD41ZCABo4qBD41fCokiBD4tjBCok"
    "iBD4jiBCokiBE4xmJF4rSEognfF4zREogqBF4naEoqrBF4xYCwyME4jfF49YEoqrBF4naEomiODgwcEg0iJCoqKE49qHF4"
    "tOE"}, {"<-03>3", "yC9CSD5D4DJE", "p7pi1mOB53v3+vBChxhj9TD41WCo+kBD47ZCo+tBD4vWCACo+tBD41WCo+t"
    "BD4vWCACo+tBD41WCo8WD4thCCo8WD456DCoiOD43iFCokoBD4lskBCoiOD4tOCo4qBD41ZCABo4qBD41fCokiBD4tjBCo"
    "kiBD4jiBCokiBE4xmJF4rSEognfF4zREogqBF4jcCwqoBD41ZCooRE4j7RDgwcEg0iJCoqKE49qHF4jEDogJCo2oBD4xbC"
    "o2oBE"}, {"<-03>3", "3C9CSD5D4DJE", "pqpi1mOB5ow3+vBChxhj9TD41WCo+kBD47ZCo+tBD4vWCACo+tBD41WCo"
    "+tBD4vWCACo+tBD41WCo8WD4thCCo8WD456DCoiOD43iFCokoBD4lskBCoiOD4tOCo4qBD41ZCABo4qBD41fCokiBD4tjB"
    "CokiBD4jiBCokiBE4xmJF4rSEognfF4zREogqBF4naEoqrBF49YCwqrBFw9YEoqrBF4naEomiODgwcEg6iJCooCE45yHF4"
    "tOEo2oBF4xbE"}, {"<-03>3", "pC9CSD5D4DJE", "x4qi1mOBx6u3+vBChxhj9TD41WCo+kBD47ZCo+tBD4vWCACo+t"
    "BD41WCo+tBD4vWCACo+tBD41WCo8WD4thCCo8WD456DCoiOD43iFCokoBD4lskBCoiOD4tOCo4qBD41ZCABo4qBD41fCok"
    "iBD4tjBCokiBD4jiBCokiBE4xmJF4rSEognfF4zREogqBF4naEoqrBF49YEABoqrBF4naEomiODgwcEguiJCo+DE4vxHF4"
    "tOE"}, {"AST4", "gCtCTD", "xzpolnPBhx+qvjDC"}, {"<-03>3", "gDfDSD4D5D", "h56ry9NBgws5CChryvitC"
    "D4xmDCo4mDE4vcCokoBE4pcCABokoBE4jiBCoqiBE4piBCoqiBE4jiBCACoqiBE4piBCoqiBE4jiBCACoqiBE4piBCoqiB"
    "E4jiBCoomBE4leCoqiBE4jiBCoojBE4xbCo8oBE4lhBCowiBE49bCowoBE43bCo2oBE4vcCoipBE4naCogqBE4xbCo2oBE"
    "47cCosnBEAB47cCo2oBE4jiBCoybE41oBCo8cE4rnBCo4kBE4xbCo2oBEAB4xbCogqBE4naCABogqBE45gBCo6gBE4tjBC"
    "ABokiBE4vfCo4kBEAC45gBCoujBEAB45gBCo4kBE4vfCABo4kBE45gBCoujBEAC45gBCo4kBE41BD"},
    {"EST5", "iBlBTCVCUCRC", "pm0p/mOB5xuo5rBC43kBB4v9uBCws9CD4vwHEg2IF"}, {"<-03>3", "9D4DJE", "5x"
    "n52qPBpsvzshBCg7hBBo2iBC43hBBow1jBCgwZBg+qBC41WBo4tBC47WBo4tBC47QBo6hXC4xPBog/BC4hLBo+tBC47QBo"
    "+tBC4vWBo+tBC41WBoq6lBC49YBogqBC4/UBouvBC41TBoovBC41TBoywBC4pWBoovBC4pWBo+tBC4/UBoywBC4rSBoywB"
    "C4zXBo0sBCAB4pWBo0sBC49YBowrBC4rbBogqBC49YBogqBC4xbBogqBC49YBo0sBC4zXBoywBC41TBooxSC49YB"},
    {"CST6", "RBTBlBnBTC", "hnmr45PBgs0LC4jrHBokfD47cBoqiBC4hxVB4ivzDD4hmBBomeDAC4rnBBo8cD4rnBBoujB"
    "D4xbBoujBD4hmBBomeDAB4rnBBo8cDAC4rnBBomeD4hmBBABomeEwrnBCo8cE4rnBCABomeE4hmBCAComeE4rnBCo8cEAB"
    "4rnBComeE4hmBCABomeE4rnBCo8cE4rnBC"},
    {"AST4", "aDTD6DxD", "r2mypmPB3mxs05BCokZB43tBCo0XB47oBDo2cBgijmCC4/UBo4kBC4vfBABoimBC4zdB"},
    {"<-03>3", "1D4DJE", "pns52qPB52qzshBCg7hBBo2iBC43hBBow1jBCgwZBg+qBC41WBo4tBC47WBo4tBC47QBo6hXC"
    "4xPBog/BC4hLBo+tBC47QBo+tBC4vWBo+tBC41WBoq6lBC49YBogqBC4/UBouvBC41TB"},
    {"CST6", "tBlBBCVCUCTC", "h7+qtnPBhjxhoMC8zXBk0sBC89YBkqrBCAB89YBk0sBC8zXBABk0sBC89YBkqrBCAC89Y"
    "Bk0sBC8zXBABk0sBC89YBkqrBCAB89YBk0sBC8zXBACk0sBC89YBkqrBCAB89YBk0sBC8zXBABk0sBC89YBk+YDou2GEwj"
    "XBos7DC89YBkqrBCAB89YBk0sBC8zXBABk0sBC89YBkqrBCAC89YBk0sBC8zXBABk0sBC89YBkqrBCAB89YBk0sBC8zXBA"
    "Ck0sBC89YBkqrBCAB89YBk0sBC8zXBkouMF4rMBos+SF4vKB"},
    {"AST4", "hDTD6D8D7D", "5wukpyNBplmtvgCC43kBBo86xBDowwHEw1IB"}, {"<-04>4", "PDSD5D", "h+x52qPBh"
    "hszshBCg7hBBo2iBC43hBBow1jBCgwZBg+qBC41WBo4tBC47WBo4tBC47QBo6hXC4xPBog/BC4hLBo+tBC47QBo+tBC4vW"
    "Bo+tBC41WBoq6lBC49YBogqBC4/UBouvBC41TBog+YC4xbBogqBC4pBB"},
    {"<-05>5", "XCWCPCUD", "hvsg1yNBgi2hCCh+us1xED4v0BC"},
    {"MST7MDT,M3.2.0,M11.1.0", "HB/AUBTBpBoBnB", "hs//hyNBwnxpCC4rnBBo8cC4rnBBo6yHD45joBEwvwHFo2IDo"
    "8luBG4jiBDokiBGAD4tjBDokiBG4jiBDABosSG47xBDoqWG49tBDokiBG4tjBDo6gBG4tjBDokiBG4jiBDADokiBG4tjBD"
    "o6gBG4tjBDokiBG4jiBDAComeG4hmBDomeG4rnBDo8cGAB4rnBDomeG4hmBDABomeG4rnBDo8cGAB4rnBDomeG4hmBDACo"
    "meG4rnBDo8cGAB4rnBDomeG4hmBDABomeG4rnBDo8cGAB4rnBDo+YG"},
    {"MST7MDT,M3.2.0,M11.1.0", "4ETBpBoBnBlBTCRC", "h446/1PBokqvBCwvwHDo2IBou84BE4jiBBokiBEAD4tjBBo"
    "6gBE4tjBBokiBE4jiBBADokiBE4tjBBo6gBE4tjBBokiBE4jiBBAComeE4hmBBomeE4rnBBo8cEAB4rnBBomeE4hmBBABo"
    "meE4rnBBo8cEAB4rnBBomeE4hmBBAComeE4rnBFg8cG4rnBHwpBFgzbE4rnBBomeE4hmBBABomeE4rnBBo8cEAB4rnBBo+"
    "YE"}, {"<-04>4", "rDSD5D", "pjv52qPB57uzshBCg7hBBo2iBC43hBBow1jBCgwZBg+qBC41WBo4tBC47WBo4tBC47"
    "QBo6hXC4xPBog/BC4hLBo+tBC47QBo+tBC4vWBo+tBC41WBoq6lBC49YBogqBC4/UBouvBC41TBoovBC41TBoywBC4pWBo"
    "ovBC4pWBo+tBC4/UBoywBC4rSBoywBC4zXBo0sBCAB4pWBo0sBC49YBowrBC4rbBogqBC49YBogqBC4xbBogqBC49YBo0s"
    "BC4zXBoywBC41TBo+tBC4pWBo+wBC4zUBo0sBC4zXBoywBC4/UBoqrBC4zXBo+tBC4pWBo+tBC4zXBo0sBCAB49YBo0sBC"
    "4pWBo+tBCAB4zXBo0sBCAC4zXBoywBC41TB"}, {"EST5", "zBlBRCTCWD", "hm/q45PBw+rgECojmCB48rcD4hmBBom"
    "eD4hmBCgmeE4pWDo4PBomeD4rnBBo8cD4rnBBoujBD4xbBoujBD4hmBBomeDAB4rnBBo8cDAC4rnBBomeD4hmBBABomeD4"
    "rnBBo8cDAB4rnBBomeD4hmBBABosSC"},
    {"<-04>4", "vCwCtCSD", "hk/ry9NB5/o8ypBC5ggrvjDD0s87CCg8+RD"},
    {"<-03>3", "yDSD4D", "h5nggmPBhjl85pDC"}, {"EST5", "ECNCRC", "58lsy9NBlzmixpBC"},
    {"CST6CDT,M3.2.0,M11.1.0", "uBlBTCRCVCUC", "hqx/hyNBwnxpCC4rnBBo8cC4rnBBoqrBC4naBoybC41oBBokiBC"
    "4xbBo2oBC47cBosnBCAD47cBo2oBC47cBosnBCAD47cBo2oBC4xbBo2oBC47cBosnBC47cBo8cD4xwBBomeC47cBosnBC4"
    "7cBo2oBC4xbBo2oBC47cBosnBC47cBokZE4vwHFg2IBosnBC47cBADo2oBC4xbBo2oBC47cBosnBCAD4tjBBokiBC4jiBB"
    "ADokiBC4tjBBokiBC4jiBBADokiBC4tjBBo6gBC4tjBBokiBC4jiBBADokiBC4tjBBokiBC4jiBBABokNC4j3BBoqWC49t"
    "BBokiBC4tjBBo6gBC4tjBBokiBC4jiBBADokiBC4tjBBo6gBC4tjBBokiBC4jiBBAComeC4hmBBomeC4rnBBo8cCAB4rnB"
    "BomeC4hmBBABomeC4rnBBo8cCAB4rnBBomeC4hmBBAComeC4rnBBo8cCAB4rnBBomeC4hmBBABomeC4rnBBo8cCAB4rnBB"
    "o+YC"}, {"CST6", "QBTBlBnBTC", "hnmr45PBgs0LC4jrHBokfD47cBoqiBCokgpEE4hmBComeE4hmBCwmeD4hmBBom"
    "eD4rnBBo8cD4rnBBoujBD4xbBoujBD4hmBBomeDAB4rnBBo8cDAC4rnBBomeD4hmBBABomeD4rnBBo8cDAB4rnBBomeD4h"
    "mBBAComeD4rnBBo8cDAB4rnBBomeD4hmBBABomeD4rnBBo8cD4rnBC"},
    {"MST7MDT,M3.2.0,M11.1.0", "OBTBlBnBTC", "hnmr45PBgs0LC4jrHBokfD47cBoqiBCokgpEE4hmBComeE4hmBCwm"
    "eD4hmBBomeD4rnBBo8cD4rnBBoujBD4xbBoujBD4hmBBomeDAB4rnBBo8cDAC4rnBBomeD4hmBBABooaD4zsBBo0XDAE4z"
    "sBBo+YD4zsBBo0XDAD4zsBBo+YD4zsBBo0XD4prBCw5FB4kTD"}, {"EST5", "HCFCRC", "hhlsy9NBx990tiBC"},
    {"CST6", "+B/BlBTC", "7knsy9NBgwtiCCnx54ptDD4rSCo8xBD4rSCoo4WD4xeCo2lBD41KC"},
    {"<-03>3", "bCfCPCSDUD5D4D", "hxhsy9NBrj0k1lBC3gvylMBr3+/jED3vnuwBBrgj4rPE33ijjBCo2cE43nBCACo2c"
    "E49nBCo2cD4v7UCouLD4l3IEgqoBCgyJDgo9tBF4xbDo0sBF4zXDo4kBF47cDosnBF47cDo2oBF4xbDoimBF4leDo2oBF4"
    "xbDo2oBF47cDosnBFAB47cDo2oBF4xbDABo2oBF47cDosnBFAC47cDo2oBF4xbDABo2oBF4jiBDokiBF47cDosnBF47cDo"
    "2oBF4xbDoujBF45gBDo2oBF47cDosnBFAC47cDo2oBF4xbDo2oBF4vfDo4kBF47cDo4kBF4tjBDoujBF47cDo2oBF4xbDA"
    "Co2oBF47cDosnBFAB47cDo2oBF4xbDo2oBF4vfDo4kBF47cDosnBF45gBDoujBF4rnBDo2TF4nvBDo0XF4zsBDo+YF4prB"
    "Do+YF4vzDDoiRF4lzBDABoiRF4zsBDo8cF4rnBDAComeF4hmBDo8cF41oBDo8cF4lkBG"},
    {"MST7", "GBTB/A", "5rqlpyNBprtjz9BComyDB"}, {"<-04>4", "mDSD5D", "p5v52qPB5luzshBCg7hBBo2iBC43"
    "hBBow1jBCgwZBg+qBC41WBo4tBC47WBo4tBC47QBo6hXC4xPBog/BC4hLBo+tBC47QBo+tBC4vWBo+tBC41WBoq6lBC49Y"
    "BogqBC4/UBouvBC41TBoovBC41TBoywBC4pWBoovBC4pWBo+tBC4/UBoywBC4rSBoywBC4zXBo0sBCAB4pWBo0sBC49YBo"
    "wrBC4rbBogqBC49YBogqBC4xbBogqBC49YBo0sBC4zXBoywBC41TBom1DC4zUBo0sBC4zXBoywBC4/UBoqrBC4zXBo+tBC"
    "4pWBo+tBC4zXBo0sBCAB49YBo0sBC4pWBo+tBCAB4zXBo0sBCAC4zXBoywBC41TB"},
    {"AST4", "lCtCTD", "nipolnPBri/qvjDC"}, {"GMT0", "SE4DJE5E", "hw2wxvPBh15053DCg5gBBgkiBCgkiBBAC"
    "gkiBCgujBBgkiBCgkiBBAEgkiBCgujBBgkiBCgkiBBAEwySD"}, {"MST7", "sAxABBDBCBXB/AUBTB", "pr5pyxOB5v"
    "+omhBC43kBBosnBCo/dB4w1vBDgvwHE42IB4h8pBFgujBBgqjRGo+8NH4jiBGokiBHAB4tjBGo6gBH4tjBGokiBH4jiBGA"
    "ComeH4hmBGomeH4rnBGo8cHAB4rnBGomeH4hmBGABomeH4rnBGo8cHAB4rnBGomeH4hmBGAComeH4rnBGo8cHAB4rnBGom"
    "eH4hmBGABomeH4rnBGo8cHAB4rnBGo+YH4zsBGo0XHAB4zsBGo+YH4zsBGo0XHAE4zsBGo+YH4zsBGo0XHADozsBI"},
    {"MST7", "9A/AUBWBVBTB", "xjslpyNBx2ktvgCC43kBBo86xBDovwHEw2IBo0rDC47cBosnBCAB47cBo2oBC4xbBo2oB"
    "C47cBosnBCAD47cBo2oBC47cBosnBCAD47cBo2oBC4xbBo2oBC4jiBBokiBCAC4tjBBo6gBC4tjBBokiBC4jiBBADokiBC"
    "4tjBBokiBC47WF"}, {"MST7MDT,M3.2.0,M11.1.0", "YBTBnBpBoB", "hr4/hyNBwnxpCC4rnBBo8cCAB41oBBoybC"
    "4vKBogrsBDwvwHEo2IBoi8pBC4tjBBo6gBC4tjBBokiBC4jiBBADokiBC4tjBBokiBC4jiBBABokNC4j3BBoqWC49tBBok"
    "iBC4tjBBo6gBC4tjBBokiBC4jiBBADokiBC4tjBBo6gBC4tjBBokiBC4jiBBAComeC4hmBBomeC4rnBBo8cCAB4rnBBome"
    "C4hmBBABomeC4rnBBo8cCAB4rnBBomeC4hmBBAComeC4rnBBo8cCAB4rnBBomeC4hmBBABomeC4rnBBo8cCAB4rnBBo+"
    "YC"}, {"EST5EDT,M3.2.0,M11.1.0", "AClBRCYDXDWD", "3ljk55OBr649vTC4pn5BDgwwHE41ICo8vFF47cC5q3rm"
    "jBFp11yWCokiBF4jiBCou0JF4jiBCokNF4j3BCokiBF4jiBCokiBF4tjBCo6gBF4tjBCokiBF4jiBCADokiBF4tjBCo6gB"
    "F4tjBCokiBF4jiBCAComeF4hmBComeF4rnBCo8cFAB4rnBComeF4hmBCABomeF4rnBCo8cFAB4rnBComeF4hmBCAComeF4"
    "rnBCo8cFAB4rnBComeF4hmBCABomeF4rnBCo8cFAB4rnBCo+YF"}, {"AST4", "IDTD", "5ksggmPB"},
    {"MST7MDT,M3.2.0,M11.1.0", "IBTBnBpBoB", "hu5q98OBhrwn7VC43kBBowfC4nIBo0+BC4tjBBo6gBC47cBo2oBC4"
    "xbBo2oBC47cBoypnBDwvwHEo2IBo0rDC47cBo+z0BC4jiBBokiBCAD4tjBBo6gBC4tjBBokiBC4jiBBADokiBC4tjBBo6g"
    "BC4tjBBokiBC4jiBBAComeC4hmBBomeC4rnBBo8cCAB4rnBBomeC4hmBBABomeC4rnBBo8cCAB4rnBBomeC4hmBBAComeC"
    "4rnBBo8cCAB4rnBBomeC4hmBBABomeC4rnBBo8cCAB4rnBBo+YC"}, {"<-05>5", "jCPCUDSD", "ho252qPBh4uzshB"
    "Cg7hBBo2iBC43hBBow1jBCgwZBg+qBC41WBo4tBC47WBo4tBC47QBo6hXC4xPBog/BC4hLBo+tBC47QBo+tBC4vWBo+tBC"
    "41WBoq6lBC49YBogqBC4/UBouvBC41TBo6lMC4zXBok2eD4twLB"},
    {"CST6", "sBlBTC", "hilm83PBhs7048DC4xbBo2oBC4xbB"},
    {"PST8PDT,M3.2.0,M11.1.0", "FBTB/AUBWBVB", "hnmr45PBg8oECowrHB4jrHCo2ZD4jiBCoyzWE4ziHFgqRCowjFD"
    "4n1BCow4CD4rbC42oBD47cCosnBD47cCg0rDDg8cCgsnBDg8cCg2oBDg8cCgsnBDADg8cCoirhBD4tjBCo6gBD4tjBCoki"
    "BD4jiBCADokiBD4tjBCo6gBD4tjBCokiBD4jiBCAComeD4hmBComeD4rnBCo8cDAB4rnBComeD4hmBCABomeD4rnBCo8cD"
    "AB4rnBComeD4hmBCAComeD4rnBCo8cDAB4rnBComeD4hmBCABomeD4rnBCo8cDAC4rnBComeD4hmBCABooaD"},
    {"MST7", "8A/AUBWBVBTB", "votlpyNBzxjtvgCC43kBBo86xBDovwHEw2IBo0rDC47cBosnBCAB47cBo2oBC4xbBo2oB"
    "C47cBosnBCAD47cBo2oBC47cBosnBCAD47cBo2oBC4xbBo2oBC4jiBBokiBCAC4tjBBo6gBC4tjBBokiBC4jiBBADokiBC"
    "4tjBBokiBC4jiBBADokiBC4tjBBo6gBC4tjBBokiBC4jiBBADokiBC4tjBBo6gBC4tjBBokiBC4jiBBAComeC4hmBBomeC"
    "4rnBBo8cCAB4rnBBomeC4hmBBABomeC4rnBBo8cCAB4rnBBomeC4hmBBAComeC4rnBBo8cCAB4rnBBomeC4hmBBABomeC4"
    "rnBBo8cCAB4rnBBo+YC4zsBBo0XCAB4zsBBo+YC4zsBBo0XCAD4zsBBo0XF"},
    {"EST5EDT,M3.2.0,M11.1.0", "6BlBTCVCUCRCWD", "hqx/hyNBwnxpCC4rnBBo8cC4rnBBokruBC4rSBokZD4vwHEg2"
    "IBosnBC47cBADo2oBC4xbBo2oBC47cBosnBCAC47cBosnBF41mFBosnBF4rxXG4jiBFokiBG4jiBFo66rCG4rnBFo+YG"},
    {"<-03>3", "+D4DJE", "xxn52qPBxsvzshBCg7hBBo2iBC43hBBow1jBCgwZBg+qBC41WBo4tBC47WBo4tBC47QBo6hXC"
    "4xPBog/BC4hLBo+tBC47QBo+tBC4vWBo+tBC41WBoq6lBC49YBogqBC4/UBouvBC41TBoovBC41TBoywBC4pWBom0UC4xb"
    "BogqBC4zCBo+iCC4zXB"}, {"AST4ADT,M3.2.0,M11.1.0", "ZDTD6D8D7D", "pjm2/0OB5yu74dC43kBBo86xBDoww"
    "HEw1IBoumQC47cBok5nBC4jiBBokiBCAD4tjBBo6gBC4tjBBokiBC4jiBBADokiBC4tjBBo6gBC4tjBBokiBC4jiBBACom"
    "eC4hmBBomeC4rnBBo8cCAB4rnBBomeC4hmBBABomeC4rnBBo8cCAB4rnBBomeC4hmBBAComeC4rnBBo8cCAB4rnBBomeC4"
    "hmBBABomeC4rnBBo8cCAB4rnBBo+YC"}, {"<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "zD4DJEIEcE", "hgmxxvPBh"
    "lq053DCg5gBBgkiBCgkiBBACgkiBCgujBBgkiBCgkiBBAEgkiBCgujBBgkiBCgkiBBAEgujBCgsnBBg8cCACg2oBBgybCA"
    "Bg2oBBg8cCgsnBBABg8cCg2oBBgybCACg2oBBg8cCgsnBBABg8cCg2oBBgybCABg2oBBg8cCgsnBBACg8cCg2oBBgybCAB"
    "g2oBBg8cCgsnBBABg8cCg2oBBgybCg2oBBgybDgylCEgsnBD"},
    {"AST4ADT,M3.2.0,M11.1.0", "QDuD/DwDBEDECETD6DKE", "piwkpyNBxmhtvgCC43kBB4zkjBD58xnjCE4xbDo2oBE"
    "AB4xbDogqBE4naDogqBE4xbDo2oBE4xbDo2oBF8u/GGs1IDogqBE4xbDo2oBEAC4xbDogqBE4xbDoimBE47cDosnBEAD47"
    "cDo2oBE47cDosnBEAD4tjBDokiBE4jiBDADokiBE4tjBDoqZHkwHI4tjBHokiBI4jiBHADokiBI4tjBHokiBI4jiBHADok"
    "iBI4tjBHo6gBI4tjBHokiBI4jiBHADokiBI4tjBHo6gBI4tjBHokiBI4jiBHAC565waI4hmBHomeJwrnBHw8cI4rnBHo8c"
    "I4rnBHomeI4hmBHABomeI4rnBHo8cIAB4rnBHomeI4hmBHAComeI4rnBHo8cIAB4rnBHomeI4hmBHABomeI4rnBHo8cIAB"
    "4rnBHo+YI4zsBHo0XIAB4zsBHo+YI4zsBHo0XIptpnnBH"}, {"EST5EDT,M3.2.0,M11.1.0", "cCNCRCWDTD", "hjh"
    "sy9NB9srixpBClv4mv+DD4jiBCokiBDAC4tjBCo6gBD4tjBCokiBD4jiBCAComeD4hmBComeD4rnBCo8cDAB4rnBComeD4"
    "hmBCABomeD4rnBCo8cDAB4rnBComeD4hmBCAComeD4rnBCo8cDAB4rnBComeD4hmBCABomeD4rnBCo8cDAB4rnBCo+YD4z"
    "sBCo0XDAB4zsBCo+YD4zsBCo0XDAD4zsBCo0XEgiuGD4zsBC"}, {"AST4", "FDTD", "pmsggmPB"},
    {"AST4", "GDTD", "h7in8lPB"},
    {"CST6", "jBlBTC", "5tnn1zPBp4g/2nDC4hRBou4TC4nXBoyhQC4vfBo+qfC47cB"},
    {"<-05>5", "GCJCPCUD", "xllsy9NBh8t0jtCCxr9qu0DD49MC"},
    {"<-04>4", "cDSDiD4D", "v45jlmPBz71x3GC+3phEDi+0jBB"},
    {"AST4ADT,M3.2.0,M11.1.0", "ADTD6D8D7D", "h6n2/0OBhy5s+ZC4piBB4gpDC43kBB4/oDC4/UBo8uBC47WBousBC"
    "4/XBoytBC41WBoytBC4jZBokrBC43bBokrBC4vWBokrBC43bBokrBC4pWBo+tBC4rVBo8uBC45XBousBC4taBowoBC43bB"
    "owoBC4hdBokrBC4pWBoywBC4vWBo+tBC41TBokrBC43bBowoBC43bBo4tBC4vWBo6pBC43bBowoBC43bB4+YDowwHEw1IB"
    "osnBC47cBADo+sDC47cBosnBCAC47cBo+sDC47cBosnBCAC47cBomxFC4jiBBokiBCAC4tjBBo6gBC4tjBBokiBC4jiBBA"
    "DokiBC4tjBBokiBC4jiBBADokiBC4tjBBo6gBC4tjBBokiBC4jiBBADokiBC4tjBBo6gBC4tjBBokiBC4jiBBAComeC4hm"
    "BBomeC4rnBBo8cCAB4rnBBomeC4hmBBABomeC4rnBBo8cCAB4rnBBomeC4hmBBAComeC4rnBBo8cCAB4rnBBomeC4hmBBA"
    "BomeC4rnBBo8cCAB4rnBBo+YC"}, {"CST5CDT,M3.2.0/0,M11.1.0/1", "DCCCQCVD", "xrmsy9NBx8su7iCCh9oju"
    "FD47WCou9YD4hRComzBD4rSComzBD4hRCo27FD4hRComzBD4hRCogkoBD41WComtBD4zXCoojBD4hdCo2oBD4xbCoqrBD4"
    "jiBCokiBDAB4tjBCokiBD4leCoimBD4reCo8lBD4xeCo2lBD4jiBCokiBD4tjBCo6gBD4tjBCoujBD47cComeD4rnBCo8c"
    "D4rnBCosnBD47cCACosnBD4leCoimBD4leCo8cD4rnBCABomeD4hmBCABo6gBD43kBCo6gBDgujBCg6gBDADgujBCgkiBD"
    "gkiBCgkiBDgujBCgwfDgsnBCg8cDg2oBCg8cDgsnBCABgmeDgimBCABg8cDgmxFCg+YDgqrBCgoaDggqBCg+YDgqrBCgoa"
    "DABg0sBCgoaDg2oBC"},
    {"MST7", "KBTBlBnB", "hnmr45PBgs0LC4jrHBokfD47cBoqiBC4hxVB4ivzDD4hmBBomeDAB4hmBB"},
    {"CST6CDT,M3.2.0,M11.1.0", "1BlBTCVCUCRC", "hqx/hyNBwnxpCC4rnBBo8cC4rnBBo02vBD4vwHEg2IBo0rDC47c"
    "BosnBCAB47cBo2oBC4xbBo2oBC47cBosnBCAD4tjBBokiBC4jiBBokiBC47cBosnBCAB4jiBBokiBC4tjBBokiBC4jiBBo"
    "kiBF4rmDBomwHC4jiBBokiBCAD4tjBBokiBC4jiBBABokNC4j3BBoqWC49tBBokiBC4tjBBo6gBC4tjBBokiBC4jiBBADo"
    "kiBC4tjBBo6gBC4tjBBokiBC4jiBBAComeC4hmBBomeC4rnBBo8cCAB4rnBBomeC4hmBFgq8eCgsnBBo+YC"},
    {"EST5EDT,M3.2.0,M11.1.0", "3BlBTCVCUCRCWD", "hqx/hyNBwnxpCC4rnBBo8cC4rnBBo02vBD4vwHEg2IBo+9LC4"
    "7cBo8vFC47cBosnBC47cBo2oBC47cBosnBCAD47cBo2oBF4pjRG4jiBFokiBGAB4tjBFokiBG4jiBFABokNCgk3BFgqWG4"
    "9tBFookhCG4rnBFo+YG"}, {"EST5EDT,M3.2.0,M11.1.0", "xBlBTCVCUCRCWD", "hqx/hyNBwnxpCC4rnBBo8cC4r"
    "nBBo02vBD4vwHEg2IB4nwUCoybBo2oBC47cBosnBCAD47cBo2oBC4jiBBokiBCAC4jiBBokiBF41nDBokiBC4jiBBADoki"
    "BC4tjBBokiBC4jiBBABokNC4j3BBoqWC49tBBokiBC4tjBBo6gBC4tjBFgu68BCgsnBBo+YC4zsBFg0XG"},
    {"CST6CDT,M3.2.0,M11.1.0", "0BlBTCVCUCRCWD", "hqx/hyNBwnxpCC4rnBBo8cC4rnBBo02vBD4vwHEg2IB4nwUCo"
    "ybBo2oBC47cBosnBCAD47cBo2oBC4jiBBokiBCAB4jiBBokiBF4lwHBokiBC4jiBBokiBGwjiBFokiBG4jiBFo66rCCgsn"
    "BBo+YC"}, {"EST5EDT,M3.2.0,M11.1.0", "8BlBTCVCUCRCWD", "hqx/hyNBwnxpCC4rnBBo8cC4rnBBo02vBD4vwH"
    "Eg2IBo2qSF41jgBG4jiBFokiBGAB4tjBFokiBG4jiBFogxnCG4rnBFo+YG"},
    {"EST5EDT,M3.2.0,M11.1.0", "wBlBTCVCUCRCWD", "hqx/hyNBwnxpCC4rnBBo8cC4rnBBo02vBD4vwHEg2IBosnBC4"
    "7cBomiOC47cBosnBC47cB41oBCoybBo2oBC47cBosnBCAD4tjBBokiBC4xbBo2oBC4jiBBokiBC4jiBBokiBF4x2KG4jiB"
    "FokiBG4jiBFo66rCCgsnBBo+YC4zsBFg0XG"}, {"EST5EDT,M3.2.0,M11.1.0", "2BlBTCVCUCRCWD", "hqx/hyNBw"
    "nxpCC4rnBBo8cC4rnBBo02vBD4vwHEg2IBosnBC47cBADo2oBC4xbBo2oBC47cBosnBCAD4tjBBokiBC4jiBBokiBC47cB"
    "osnBCAC47cBo2oBF4pjRG4jiBFokiBG4jiBFo66rCCgsnBBo+YGwzsBF"},
    {"MST7MDT,M3.2.0,M11.1.0", "4E/AUBnBTB", "ho5oi0RBw0rpBC4jiBBokiBCAD4tjBBo6gBC4tjBBokiBC4jiBBok"
    "iBDwjiBEokiBD4jiBEABokiBD4tjBEo6gBD4tjBEokiBD4jiBEAComeD4hmBEomeD4rnBEo8cDAB4rnBEomeD4hmBEABom"
    "eD4rnBEo8cDAB4rnBEomeD4hmBEAComeD4rnBEo8cDAB4rnBEomeD4hmBEABomeD4rnBEo8cDAB4rnBEo+YD"},
    {"EST5EDT,M3.2.0,M11.1.0", "4EYDXDRCWDlBTC", "h4iivgRB4jwGC41IDou84BE4jiBDokiBEAD4tjBDo6gBE4tjB"
    "DokiBE4jiBDADokiBE4tjBDo6gBE4tjBDokiBE4jiBDAComeE4hmBDomeE4rnBDo8cEAB4rnBDomeE4hmBDABomeE4rnBD"
    "o8cEAB4rnBDomeE4hmBDAComeE4rnBFw8cG4rnBDg8cE4rnBDomeE4hmBDABomeE4rnBDo8cEAB4rnBDo+YE"},
    {"EST5", "OCNCRCWD", "93jsy9NBgmovBClny1v0DD4j3BCoqWD49tBCokiBD4tjBCo6gBD4tjBCokiBD4jiBCADokiBD"
    "4tjBCo6gBD4tjBC"}, {"AKST9AKDT,M3.2.0,M11.1.0", "CL3A/AWBVBUBBBxAwAAB", "j9w75zMBpv6w49BC39zng"
    "uCDovwHEw2ICosuyBF4jiBCokiBFAB4tjBCokiBF4jiBCABokNF4j3BCoqWF49tBCokiBF4tjBCo6gBF4tjBCokiBF4jiB"
    "CABokiBGgkiBCgkiBF4jiBCokiBF4tjBCo6gBF4tjBHg6FIwqcJ4jiBIokiBJAB4jiBIomeJ4hmBIomeJ4rnBIo8cJAB4r"
    "nBIomeJ4hmBIABomeJ4rnBIo8cJAB4rnBIomeJ4hmBIAComeJ4rnBIo8cJAB4rnBIomeJ4hmBIABomeJ4rnBIo8cJAB4rn"
    "BIo+YJ"}, {"EST5EDT,M3.2.0,M11.1.0", "7BlBTCVCUCRCWD", "hqx/hyNBwnxpCC4rnBBo8cC4rnBBo2nDC4hXBo"
    "8hqBC47cBokZD4vwHEg2IB5ymziBCpl54FBo4rIC4xbBo2oBC47cBosnBCAD47cBo2oBC4jiBBokiBCAD4tjBBokiBC43P"
    "FgqvOG4jiBFokiBGAC4tjBFokiBG4jiBFABokNCgk3BFgqWG49tBFokiBG4tjBFo6gBG4tjBFokiBG4jiBFADokiBG4tjB"
    "Fo6gBG4tjBFokiBG4jiBFAComeG4hmBFomeG4rnBFo8cGAB4rnBFomeG4hmBFABomeG4rnBFo8cGAB4rnBFomeG4hmBFAC"
    "omeG4rnBFo8cGAB4rnBFomeG4hmBFABomeG4rnBFo8cGAB4rnBFo+YG"},
    {"EST5EDT,M3.2.0,M11.1.0", "9BlBTCVCUCRCWD", "hqx/hyNBwnxpCC4rnBBo8cC4rnBBo02vBD4vwHEg2IBokqwBC"
    "4jiBBokiBCAC4tjBBokiBC4jiBBABokNC4j3BBoqWC49tBBokiBC4tjBBo6gBC4tjBBokiBC4jiBBADokiBC4tjBBo6gBC"
    "4tjBBokiBC4jiBBAComeC4hmBBomeC4rnBBo8cCAB4rnBBomeC4hmBBABomeC4rnBBo8cCAB4rnBBomeC4hmBBAComeC4r"
    "nBBo8cC4rnBFg8cG4rnBFomeG4hmBFABomeG4rnBFo8cGAB4rnBFo+YG"},
    {"AST4", "zCTD8D7D", "z78p+uOBvwu+hxCC4+gHDw1IB"}, {"<-04>4", "rCqCsDSD", "p2/ry9NBgut5CC4zdD"},
    {"<-05>5", "MCLCPCUD", "57jsy9NBxxu09iBC53ksr3BD47QComhBD4jiBCokiBD4jiBCo6+hDD47QCoyzBD47QCo08F"
    "D47QCoihID47QC"}, {"PST8PDT,M3.2.0,M11.1.0", "EB/AUBWBVB", "hs//hyNBwnxpCC4rnBBo8cC4rnBBo02vBD"
    "ovwHEw2IB5kn1zECpz8owBBg46CCgybBg2oBCg8cBgsnBCADg8cBg2oBCg8cBgsnBCADg8cBg2oBCgybBg2oBCgkiBBgki"
    "BCACgujBBg6gBCgujBBokiBC4jiBBADokiBC4tjBBokiBC4jiBBABokNC4j3BBoqWC49tBBokiBC4tjBBo6gBC4tjBBoki"
    "BC4jiBBADokiBC4tjBBo6gBC4tjBBokiBC4jiBBAComeC4hmBBomeC4rnBBo8cCAB4rnBBomeC4hmBBABomeC4rnBBo8cC"
    "AB4rnBBomeC4hmBBAComeC4rnBBo8cCAB4rnBBomeC4hmBBABomeC4rnBBo8cCAB4rnBBo+YC"},
    {"<-03>3", "FE4DJE", "5nm52qPBp2wzshBCg7hBBo2iBC43hBBow1jBCgwZBg+qBC41WBo4tBC47WBo4tBC47QBo6hXC"
    "4xPBog/BC4hLBo+tBC47QBo+tBC4vWBo+tBC41WBoq6lBC49YBogqBC4/UBouvBC41TBoovBC41TBoywBC4pWBowkMC4pW"
    "Bos5HC4xbBogqBC4zCBo+iCC4zXB"}, {"CST6", "5B4BlBRCTC", "pmosy9NBpou40zCCx314ipCD4/6DCoy3IE4xSC"
    "o2xBE4xSCon1YD4gyBCoySD49xICou2RE45gBC4snBEw7cC"}, {"<-04>4", "RDSD5D", "p0x52qPB5qszshBCg7hBB"
    "o2iBC43hBBow1jBCgwZBg+qBC41WBo4tBC47WBo4tBC47QBo6hXC4xPBog/BC4hLBo+tBC47QBo+tBC4vWBo+tBC41WBoq"
    "6lBC49YBogqBC4/UBouvBC41TBo6lMC4zXB"}, {"AST4", "MDLDTD6D", "ps8ry9NBgu0tBC5/ym1hED45gBC"},
    {"CST6CDT,M3.2.0,M11.1.0", "gBlBTC", "hm/q45PBwq5tEC4rnBBoo9PC4hmBBomeCAC4rnBBo8cC4rnBBoujBC4xb"
    "BoujBC4hmBBomeCAB4rnBBo8cCAC4rnBBomeC4hmBBABooaC"}, {"MST7", "PBTBlBnB", "hnmr45PBgs0LC4jrHBok"
    "fD47cBoqiBC4hxVB4ivzDD4hmBBomeDAC4rnBBo8cD4rnBBoujBD4xbBoujBD4hmBBomeDAB4rnBBo8cDAC4rnBBomeD4h"
    "mBBABomeD4rnBBo8cDAB4rnBBomeD4hmBBAComeD4rnBBo8cDAB4rnBBomeD4hmBBABomeD4rnBBo8cD4rnBB"},
    {"CST6CDT,M3.2.0,M11.1.0", "vBlBTCVCUCRC", "n22sw1NB7xx7l9BC4rnBBo8cC4rnBBo02vBD4vwHEg2IBosnBC4"
    "7cBoi8pBC4tjBBo0qFF4pyICgkiBBokNC4j3BBoqWC49tBBokiBC4tjBBo6gBC4tjBBokiBC4jiBBADokiBC4tjBBo6gBC"
    "4tjBBokiBC4jiBBAComeC4hmBBomeC4rnBBo8cCAB4rnBBomeC4hmBBABomeC4rnBBo8cCAB4rnBBomeC4hmBBAComeC4r"
    "nBBo8cCAB4rnBBomeC4hmBBABomeC4rnBBo8cCAB4rnBBo+YC"}, {"CST6", "qBlBRCTC", "hm/q45PBw+rgEC4p6BB"
    "o23cD4hmBBomeDAC4rnBBo8cD4rnBBoujBD4xbBoujBD4hmBBomeDAB4rnBBo8cDAC4rnBBomeD4hmBBABomeD4rnBBo8c"
    "DAB4rnBBomeD4hmBBAComeD4rnBBo8cDAB4rnBBomeD4hmBBABomeD4rnBBo8cD4rnBB"},
    {"AKST9AKDT,M3.2.0,M11.1.0", "DL4A/AWBVBUBwAAB", "j9w75zMBzk5w49BCto1nguCDovwHEw2ICosuyBF4jiBCo"
    "kiBFAB4tjBCokiBF4jiBCABokNF4j3BCoqWF49tBCokiBF4tjBCo6gBF4tjBCokiBF4jiBCADokiBF4tjBCo6gBF4tjBCo"
    "8vkCGo+YH4zsBGo0XHAB4zsBCguOGomJH"}, {"CST6", "fBTBlBnBTCVC", "hnmr45PBgs0LC4jrHBokfD47cBoqiBC"
    "490OE4naCo+jDE4lVCou5FF41ZComsME4vfC4g5hDE4hmBComeEAC4rnBCo8cE4rnBCoujBE4xbCoujBE4hmBComeEAB4r"
    "nBCo8cEAC4rnBComeE4hmBCABomeE4rnBCo8cEAB4rnBComeE4hmBCAComeE4rnBCo8cEAB4rnBComeE4hmBCABomeE4rn"
    "BCo8cE4rnBC"}, {"<-03>3<-02>,M3.2.0,M11.1.0", "lDTD4DJE", "xy9r9lPBxpm9xhECos6OD4hmBComeD4rnBC"
    "o8cDAB4rnBComeD4hmBCABomeD4rnBCo8cDAB4rnBComeD4hmBCAComeD4rnBCo8cDAB4rnBComeD4hmBCABomeD4rnBCo"
    "8cDAB4rnBCo+YD"}, {"AST4ADT,M3.2.0,M11.1.0", "7CRCTD6D8D7D", "57orlyNBppkr6iBCok8hBD43kBCgupfD"
    "4hRComzBDAE4hRCo2xBD4pWCo6sBD4tXComqBD4rbCwqZEowwHFw1ICosnBD47cCADo2oBD4xbCo2oBD47cCosnBDAD47c"
    "Co2oBD47cCosnBD4jiBCokiBDAC4tjBCokiBD4jiBCADokiBD4tjBCo6gBD4tjBCokiBD4jiBCADokiBD4tjBCokiBD4ji"
    "BCosmDD4jiBCokiBDAB4tjBCo6gBD4tjBCokiBD4jiBCADokiBD4tjBCo6gBD4tjBCokiBD4jiBCAComeD4hmBComeD4rn"
    "BCo8cDAB4rnBComeD4hmBCAB565waD4rnBCo8cDAB4rnBComeD4hmBCAComeD4rnBCo8cDAB4rnBComeD4hmBCABomeD4r"
    "nBCo8cDAB4rnBCp3g+VD"}, {"CST6", "eBTBlBnBTC", "hm/q45PBos0LC4jrHBokfD47cBoqiBCow73DE4rnBCoo9P"
    "E4hmBComeEAC4rnBCo8cE4rnBCoujBE4xbCoujBE4hmBComeEAB4rnBCo8cEAC4rnBComeE4hmBCABomeE4rnBCo8cEAB4"
    "rnBComeE4hmBCAComeE4rnBCo8cEAB4rnBComeE4hmBCABomeE4rnBCo8cE4rnBC"},
    {"<-03>3", "jDkDSD5DvDAE4DJEOE", "nzkjogPBgquZC74p1tGD4piBEkqiBD8jiBEABkgnQD87cEksnBDAC87cEk2oB"
    "D8xbEABkujBD8jiBEksnBD87cEkoXD839CF87QGki1iBF85gBGk6LH4lJGo67KH45gBGo02FF8njBGk0/CH4rJGoq/DH43"
    "PGosmDI0vKFo6gBGkgVH4rSGok2DH4tOGomzBH4hRGo61BH4tOGowKH4r8BGouyQH4nOGo61BH43PGo0sBH4pWGo0sBH49"
    "YGo0sBH4zXGoqrBH49YGou3YHoujBGo4kBH47cGoimBH4leGosnBH47cGABosnBH4leGoimBHAB4leGosnBH47cGAC"},
    {"EST5EDT,M3.2.0,M11.1.0", "ICRCWDYDXD", "5uup/mOBpoto5rBC43kBB0hdC8lnBB4ujBCoxbB4qrBC4hXBomtBC"
    "4zXBo0sBC4zXBoqrBC4naBogqBCAC4xbBo2oBC47cBosnBCAC47cBo2oBC4xbBo2oBC47cBosnBCAE47cBo2oBC4xbBo2o"
    "BCgo6DDgwwHE41IBosnBC47cBACosnBC41oBBo8cC4rnBBo8cC47cBosnBCAD47cBo2oBC47cBosnBC4jiBBokiBCAC4tj"
    "BBokiBC4jiBBADokiBC4tjBBo6gBC4tjBBokiBC4jiBBADokiBC4tjBBokiBC4jiBBADokiBC4tjBBo6gBC4tjBBokiBC4"
    "jiBBADokiBC4tjBBo6gBC4tjBBokiBC4jiBBAComeC4hmBBomeC4rnBBo8cCAB4rnBBomeC4hmBBABomeC4rnBBo8cCAB4"
    "rnBBomeC4hmBBAComeC4rnBBo8cCAB4rnBBomeC4hmBBABomeC4rnBBo8cCAB4rnBBo+YC"},
    {"AST4", "DDTD", "hxsggmPB"}, {"EST5EDT,M3.2.0,M11.1.0", "KCRCYDXDWD", "1ozsonPBts2234BC452FBo6"
    "FCwwkBDohMB4u0nBE4jiBBokiBE4tjBBo6gBE4tjBBokiBE4jiBBADokiBE4tjBBokiBE4jiBBADokiBE4tjBBo6gBE4tj"
    "BBokiBE4jiBBADokiBE4tjBBo6gBE4tjBBokiBE4jiBBAComeE4hmBBomeE4rnBBo8cEAB4rnBBomeE4hmBBABomeE4rnB"
    "Bo8cEAB4rnBBomeE4hmBBAComeE4rnBBo8cEAB4rnBBomeE4hmBBABomeE4rnBBo8cEAB4rnBBo+YE"},
    {"EST5EDT,M3.2.0,M11.1.0", "YCRCWDYDXD", "hpq/hyNBwnxpCC4rnBBo8cCAB41oBBo6gBC47cBo2oBC4xbBo2oBC"
    "47cBosnBCAD47cBo2oBC47cBosnBCAD47cBo2oBC4xbBo2oBC47cBosnBCAD47cBo2oBC4xbBo2oBC47cBosnBC47cBokZ"
    "DgwwHE41IBosnBC47cBADo2oBC4xbBo2oBC47cBosnBCAD4tjBBokiBC4jiBBADokiBC4tjBBokiBC4jiBBADokiBC4tjB"
    "Bo6gBC4tjBBokiBC4jiBBADokiBC4tjBBokiBC4jiBBABokNC4j3BBoqWC49tBBokiBC4tjBBo6gBC4tjBBokiBC4jiBBA"
    "DokiBC4tjBBo6gBC4tjBBokiBC4jiBBAComeC4hmBBomeC4rnBBo8cCAB4rnBBomeC4hmBBABomeC4rnBBo8cCAB4rnBBo"
    "meC4hmBBAComeC4rnBBo8cCAB4rnBBomeC4hmBBABomeC4rnBBo8cCAB4rnBBo+YC"},
    {"AKST9AKDT,M3.2.0,M11.1.0", "3KQATAiAhASAgAxAwAAB", "j9w75zMBjgpx49BC9v6nguCDwuwHEo3IC4tguBFw+"
    "tEG4jiBFokiBGAB4tjBFokiBG4jiBFABokNG4j3BFoqWG49tBFokiBG4tjBFo6gBG4tjBFokiBG4jiBFADokiBG4tjBFo6"
    "gBG4tjBHo5FIwqcJ4jiBIokiBJAB4jiBIomeJ4hmBIomeJ4rnBIo8cJAB4rnBIomeJ4hmBIABomeJ4rnBIo8cJAB4rnBIo"
    "meJ4hmBIAComeJ4rnBIo8cJAB4rnBIomeJ4hmBIABomeJ4rnBIo8cJAB4rnBIo+YJ"}, {"<-02>2", "HEIEcE", "p2k"
    "52qPB5mrzshBCg7hBBo2iBC43hBBow1jBCgwZBg+qBC41WBo4tBC47WBo4tBC47QBo6hXC4xPBog/BC4hLBo+tBC47QBo+"
    "tBC4vWBo+tBC41WBoq6lBC49YBogqBC4/UBouvBC41TBoovBC41TBoywBC4pWBom0UC4xbBogqBC4pBBookCC4zXB"},
    {"CST6CDT,M3.2.0,M11.1.0", "bBTBnBpBoBlBTC", "hr4/hyNBwnxpCC4rnBBo8cC4rnBBo02vBDwvwHEo2IBo8luBC"
    "4jiBBokiBCAD4tjBBokiBC4jiBBABokNC4j3BBoqWC49tBBokiBC4tjBBo6gBC4tjBBokiBC4jiBBADokiBC4tjBBo6gBC"
    "4tjBBokiBC4jiBBAComeC4hmBBomeC4rnBBo8cCAB4rnBBomeC4hmBBABomeC4rnBBo8cCAB4rnBBomeC4hmBBAComeC4r"
    "nBBo8cCAB4rnBBomeC4hmBBABomeC4rnBBo8cCAB4rnBBo+YC4zsBBo0XCAB4zsBBo+YC4zsBFg0XG"},
    {"CST6CDT,M3.2.0,M11.1.0", "dBTBnBpBoBlBTC", "hr4/hyNBwnxpCC4rnBBo8cC4rnBBo02vBDwvwHEo2IBo8luBC"
    "4jiBBokiBCAD4tjBBokiBC4jiBBABokNC4j3BBoqWC49tBBokiBC4tjBBo6gBC4tjBBokiBC4jiBBADokiBC4tjBBo6gBC"
    "4tjBBokiBC4jiBBAComeC4hmBBomeC4rnBBo8cCAB4rnBBomeC4hmBBomeC4hmBFgmeG4rnBFo8cGAB4rnBFomeG4hmBFA"
    "ComeG4rnBFo8cGAB4rnBFomeG4hmBFABomeG4rnBFo8cGAB4rnBFo+YG"},
    {"CST6CDT,M3.2.0,M11.1.0", "cBTBnBpBoBlBTC", "hr4/hyNBwnxpCC4rnBBo8cC4rnBBo02vBDwvwHEo2IBo8luBC"
    "4jiBBokiBCAD4tjBBokiBC4jiBBABokNC4j3BBoqWC49tBBokiBC4tjBBo6gBC4tjBBokiBC4jiBBADokiBC4tjBBo6gBC"
    "4tjBBokiBC4jiBBAComeC4hmBBomeC4rnBBo8cCAB4rnBBomeC4hmBBABomeC4rnBBo8cCAB4rnBBomeC4hmBBAComeC4r"
    "nBBo8cCAB4rnBBomeC4hmBBomeC4hmBFgmeG4rnBFo8cGAB4rnBFo+YG"},
    {"CST6CDT,M3.2.0,M11.1.0", "aBTBlBnBTC", "hnmr45PBgs0LC4jrHBokfD47cBoqiBCokgpEE4hmBComeE4hmBCwm"
    "eD4hmBBomeD4rnBBo8cD4rnBBoujBD4xbBoujBD4hmBBomeDAB4rnBBo8cDAC4rnBBomeD4hmBBABooaD4zsBBo0XDAE4z"
    "sBBo+YD4zsBBo0XDAD4zsBBo+YD4zsBBo0XD4prBCg+YE"},
    {"<-03>3", "oDnDpDvD4D", "xr5lilPB5w+yktBChvw/mUDpwiwrpCE"},
    {"MST7", "JBTBnBpB", "hr4/hyNBwnxpCC4rnBBo8cC4rnBBo02vBD5op7xDBoiRD4piBBpvt9uqBC4jiBB"},
    {"EST5EDT,M3.2.0,M11.1.0", "ZCaCRCWD", "h1hsy9NB5qp98yBCptqz18DD45gBCokiBD4jiBCADwmeDgsnBCg8cDA"
    "BgsnBCgmeDgimBCABgmeDgsnBCg8cDABgsnBCgmeDgimBCAB4n9PD4rnBCo8cD4rnBC4wvLD4zsBCo0XDAC4zsBCom9CD4"
    "zsBC"}, {"AST4", "HDTD", "56rsonPB"}, {"<-05>5", "sCPCUDSD", "hp152qPBh3vzshBCg7hBBo2iBC43hBBo"
    "w1jBCgwZBg+qBC41WBo4tBC47WBo4tBC47QBo6hXC4xPBog/BC4hLBo+tBC47QBo+tBC4vWBo+tBC41WBoq6lBC49YBogq"
    "BC4/UBouvBC41TBoyzrBD4twLB"}, {"<-04>4", "/CSD5D", "xuz52qPBxwqzshBCg7hBBo2iBC43hBBow1jBCgwZBg"
    "+qBC41WBo4tBC47WBo4tBC47QBo6hXC4xPBog/BC4hLBo+tBC47QBo+tBC4vWBo+tBC41WBoq6lBC49YBogqBC4/UBouvB"
    "C41TB"}, {"<-03>3", "dCfCPCSDUD5D4D", "5/gsy9NBz00k1lBC3gvylMBr3+/jED3vnuwBBrgj4rPE33ijjBCo2cE"
    "43nBCACo2cE49nBCo2cD4v7UCouLD4l3IEgqoBCgyJDgo9tBF4xbDo0sBF4zXDo4kBF47cDosnBF47cDo2oBF4xbDoimBF"
    "4leDo2oBF4xbDo2oBF47cDosnBFAB47cDo2oBF4xbDABo2oBF47cDosnBFAC47cDo2oBF4xbDABo2oBF4jiBDokiBF47cD"
    "osnBF47cDo2oBF4xbDoujBF45gBDo2oBF47cDosnBFAC47cDo2oBF4xbDo2oBF4vfDo4kBF47cDo4kBF4tjBDoujBF47cD"
    "o2oBF4xbDACo2oBF47cDosnBFAB47cDo2oBF4xbDo2oBF4vfDo4kBF47cDosnBF45gBDoujBF4rnBDo2TF4nvBDo0XF4zs"
    "BDo+YF4prBDo+YF4vzDDoiRF4/UG"}, {"CST6CDT,M3.2.0,M11.1.0", "hBlBTCVCUC", "ppqi+4NB50l1j2BC4xbB"
    "40rDC43kBBow2nBC49YBourJD4vwHEg2IBogqBC47cBo4kBC47cBosnBCAB47cBo8oBC4vcBoynBC47cBosnBCAD47cBo2"
    "oBC47cBosnBCAC4jiBBokiBC47cBomxFC4xbBomxFCgujBBgkiBCgkiBBADgkiBCgujBBgkiBCgkiBBADgkiBCgujBBg6g"
    "BCgujBBgkiBCgkiBBADgkiBCgujBBg6gBCgujBBgkiBCgkiBBACgmeCgimBBgmeCgsnBBg8cCABgsnBBgmeCgimBBABgme"
    "CgsnBBg8cCABgsnBBgmeCgimBBACgmeCgsnBBg8cCABgsnBBgmeCgimBBABgmeCgsnBBg8cCAB4rnBBo+YC"},
    {"CST6CDT,M3.2.0,M11.1.0", "4ElBTCRC", "hgphz7RBg25gBC4jiBBokiBCAD4tjBBo6gBC4tjBBokiBC4jiBBADok"
    "iBC4tjBBo6gBC4tjBBokiBC4jiBBAComeC4hmBBomeC4rnBBo8cCAB4rnBBomeC4hmBBABomeC4rnBBo8cCAB4rnBBomeC"
    "4hmBBAComeC4rnBBo8cC4rnBDo8cC4rnBBomeC4hmBBABomeC4rnBBo8cCAB4rnBBo+YC"},
    {"<-03>3", "GE4DJE", "x7l52qPBxixzshBCg7hBBo2iBC43hBBow1jBCgwZBg+qBC41WBo4tBC47WBo4tBC47QBo6hXC"
    "4xPBog/BC4hLBo+tBC47QBo+tBC4vWBo+tBC41WBoq6lBC49YBogqBC4/UBouvBC41TBoovBC41TBoywBC4pWBom0UC4xb"
    "BogqBC4pBBookCC4zXB"}, {"CST6", "ZBTBnBpBoBlB", "5x7lh7OBpnus3XC43kBB450YC47cBosnBCAB47cBo2oBC"
    "4xbBo2oBC47cBo+rFC4jiBBokiBC45gBBoujBC4jiBBABokiBC4jiBB4wWDwvwHEo2IBo4kBC4jiBBo4kBC47cBosnBCAB"
    "47cBo2oBC4xbBo2oBC47cBosnBCAD47cBo2oBC47cBosnBC47cBo0rDC4jiBBokiBF"},
    {"CST6CDT,M3.2.0,M11.1.0", "4ElBTCRC", "h4y9gqRBgo50BC4jiBBokiBCAD4tjBBo6gBC4tjBBokiBC4jiBBADok"
    "iBC4tjBBo6gBC4tjBBokiBC4jiBBAComeC4hmBBomeC4rnBBo8cCAB4rnBBomeC4hmBBABomeC4rnBBo8cCAB4rnBBomeC"
    "4hmBBAComeC4rnBBo8cC4rnBDo8cC4rnBBomeC4hmBBABomeC4rnBBo8cCAB4rnBDo+YC4zsBB"},
    {"<-03>3", "qDSD5D4D", "xkv52qPBx6uzshBCg7hBBo2iBC43hBBow1jBCgwZBg+qBC41WBo4tBC47WBo4tBC47QBo6h"
    "XC4xPBog/BC4hLBo+tBC47QBo+tBC4vWBo+tBC41WBoq6lBC49YBogqBC4/UBouvBC41TBoyzrBD"},
    {"<-04>4<-03>,M9.1.6/24,M4.1.6/24", "eCfCPCSDUD5D", "r8gsy9NBgm7qBC3gvylMBr3+/jED3vnuwBBrgj4rPE"
    "33ijjBCo2cE43nBCACo2cE49nBCo2cD4v7UCouLD43uIF4tIEoqoBCgyJDgo9tBF4xbDo0sBF4zXDo4kBF47cDosnBF47c"
    "Do2oBF4xbDoimBF4leDo2oBF4xbDo2oBF47cDosnBFAB47cDo2oBF4xbDABo2oBF47cDosnBFAC47cDo2oBF4xbDABo2oB"
    "F4jiBDokiBF47cDosnBF47cDo2oBF4xbDoujBF45gBDo2oBF47cDosnBFAC47cDo2oBF4xbDo2oBF4vfDo4kBF47cDo4kB"
    "F4tjBDoujBF47cDo2oBF4xbDACo2oBF47cDosnBFAB47cDo2oBF4xbDo2oBF4vfDo4kBF47cDosnBF45gBDoujBF4rnBDo"
    "2TF4nvBDo0XF4zsBDo+YF4prBDo+YF4vzDDoiRF4lzBDABoiRF4zsBDo8cF4rnBDAComeF4hmBD"},
    {"AST4", "iChCRCWDuCTD", "xwgsy9NBx1ygrxCCh3kkl/BD41WCoi2FE8jWCkkuBE8pQCko1BE8rPCk80BE83PCkw0BE"
    "89PCkq0BFoi13BCgyGF"}, {"<-03>3", "3D4DJE", "prr52qPB5yrzshBCg7hBBo2iBC43hBBow1jBCgwZBg+qBC41W"
    "Bo4tBC47WBo4tBC47QBog5WC4rYBog/BC4hLBo+tBC47QBo+tBC4vWBo+tBC41WBoq6lBC49YBogqBC4/UBouvBC41TBoo"
    "vBC41TBoywBC4pWBoovBC4pWBo+tBC4/UBoywBC4rSBoywBC4zXBo0sBCAB4pWBo0sBC49YBowrBC4rbBogqBC49YBogqB"
    "C4xbBogqBC49YBo0sBC4zXBoywBC41TBo+tBC4pWBo+wBC4zUBo0sBC4zXBoywBC4/UBoqrBC4zXBo+tBC4pWBo+tBC4zX"
    "Bo0sBCAB49YBo0sBC4pWBo+tBCAB4zXBo0sBCAC4zXBoywBC41TB"},
    {"<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "REIEcE8EbE", "xh4wxvPBxix053DCg6gBBwjiBD4jiBEgkiBDgkiBEABg"
    "kiBDgujBEgkiBDgkiBEAEgkiBDgujBEgkiBDgkiBEAEgujBDgsnBEg8cDACg2oBEgybDABg2oBEg8cDgsnBEABg8cDg2oB"
    "EgybDACg2oBEg8cDgsnBEABg8cDg2oBEgybDABg2oBEg8cDgsnBEACg8cDg2oBEgybDABg2oBEg8cDgsnBEABg8cDg2oBE"
    "gybDABg2oBEg8cCgsnBB"}, {"AKST9AKDT,M3.2.0,M11.1.0", "BLtA/AWBVBUBxAwAAB", "j9w75zMBk7omCCvwzn"
    "guCDovwHEw2ICosuyBF4jiBCokiBFAB4tjBCokiBF4jiBCABokNF4j3BCoqWF49tBCokiBF4tjBCo6gBF4tjBCokiBF4ji"
    "BCADokiBF4tjBCo6gBF4tjBGg6FHwqcI4jiBHokiBIAB4jiBHomeI4hmBHomeI4rnBHo8cIAB4rnBHomeI4hmBHABomeI4"
    "rnBHo8cIAB4rnBHomeI4hmBHAComeI4rnBHo8cIAB4rnBHomeI4hmBHABomeI4rnBHo8cIAB4rnBHo+YI"},
    {"NST3:30NDT,M3.2.0,M11.1.0", "tDuD/DwDBEDECEPE", "5uskpyNBwkmnCC4reBomnBC43kBBw5jBC4xSBowxBC4j"
    "iBBokiBC4jiBBoujBC45gBBADoujBC4jiBBokiBC4jiBBoujBC45gBBADoujBC4jiBBoujBC45gBBABwwcD5z8iGE45gBD"
    "w4kBE4xbDo2oBEAB4xbDogqBE4naDogqBE4xbDo2oBE4xbDo2oBF8u/GGs1IDogqBE4xbDo2oBEAC4xbDogqBE4xbDoimB"
    "E47cDosnBEAD47cDo2oBE47cDosnBEAD4tjBDokiBE4jiBDADokiBE4tjBDo6gBE4tjBDokiBE4jiBDADokiBE4tjBDoki"
    "BE4jiBDADokiBE4tjBDo6gBE4tjBDokiBE4jiBDADokiBE4tjBDo6gBE4tjBDokiBE4jiBDAC565waE4hmBDomeHwrnBDw"
    "8cE4rnBDo8cE4rnBDomeE4hmBDABomeE4rnBDo8cEAB4rnBDomeE4hmBDAComeE4rnBDo8cEAB4rnBDomeE4hmBDABomeE"
    "4rnBDo8cEAB4rnBDo+YE4zsBDo0XEAB4zsBDo+YE4zsBDo0XEptpnnBD"}, {"AST4", "CDTD", "5sssonPB"},
    {"AST4", "ODNDTD", "hr8ry9NBgsivBC"}, {"AST4", "4CTD", "h2tggmPB"},
    {"AST4", "KDJDTD", "xu8ry9NBgsivBC"}, {"CST6", "NBTBnBpBoBlB", "xh9lh7OBx3ss3XC43kBBo86xBDwvwHE"
    "o2IBosnBC4vfBo4kBC47cBosnBCAB47cBo4nQC4jiBBosmDC4jiBBokiBC47cBo2oBC4xbBo61WF"},
    {"CST6", "yBlBTC", "p03gr4PB55o6p8DC4xbBo2oBC4xbBom2lBC4nRB"},
    {"AST4ADT,M3.2.0,M11.1.0", "nCTD6D", "5/txxvPBpuh0usEC4jiBBokiBC4jiBBoujBC4rnBBo8cCAB4rnBBomeC4"
    "hmBBAComeC4rnBBo8cCAB4rnBBomeC4hmBBABomeC4rnBBo8cCAB4rnBBo+YC"}, {"AST4", "8CTD", "pxtggmPB"},
    {"PST8PDT,M3.2.0,M11.1.0", "7A/AUBWBVB", "5utlpyNBprjtvgCC43kBBo86xBDovwHEw2IBosnBC47cBADo2oBC4"
    "xbBo2oBC47cBosnBCAD47cBo2oBC47cBosnBCAD47cBo2oBC4xbBo2oBC4jiBBokiBCAC4tjBBo6gBC4tjBBokiBC4jiBB"
    "ADokiBC4tjBBokiBC4jiBBADokiBC4tjBBo6gBC4tjBBokiBC4jiBBADokiBC4tjBBo6gBC4tjBBokiBC4jiBBAComeC4h"
    "mBBomeC4rnBBo8cCAB4rnBBomeC4hmBBABomeC4rnBBo8cCAB4rnBBomeC4hmBBAComeC4rnBBo8cCAB4rnBBomeC4hmBB"
    "ABomeC4rnBBo8cCAB4rnBBo+YC"}, {"MST7", "uAxABBDBCBXB/AUBTB", "5p3pyxOBpxgpmhBC43kBBosnBCo/dB4w"
    "1vBDgvwHE42IB4h8pBFgujBBgqWGo+peH4jiBGokiBHAB4tjBGo6gBH4tjBGokiBH4jiBGAComeH4hmBGomeH4rnBGo8cH"
    "AB4rnBGomeH4hmBGABomeH4rnBGo8cHAB4rnBGomeH4hmBGAComeH4rnBGo8cHAB4rnBGomeH4hmBGABomeH4rnBGo8cHA"
    "B4rnBGo+YH4zsBGo0XHAB4zsBGo+YH4zsBGo0XHAE4zsBGo+YH4zsBGo0XHADozsBI"},
    {"AKST9AKDT,M3.2.0,M11.1.0", "ALqAxADBCBBBwAAB", "j9w75zMB9+8w49BCjv4nguCDgvwHE42ICosuyBF4jiBCo"
    "kiBFAB4tjBCokiBF4jiBCABokNF4j3BCoqWF49tBCokiBF4tjBCo6gBF4tjBCokiBF4jiBCADokiBF4tjBCo6gBF4tjBC4"
    "5FGwqcH4jiBGokiBHAB4jiBGomeH4hmBGomeH4rnBGo8cHAB4rnBGomeH4hmBGABomeH4rnBGo8cHAB4rnBGomeH4hmBGA"
    "ComeH4rnBGo8cHAB4rnBGomeH4hmBGABomeH4rnBGo8cHAB4rnBGo+YH"}, {"<+08>-8", "4EOJUK", "ho4qlySBw2p"
    "3CCo7ZB48wDC49VB4v/JCo2+CB4snBCgleB42lBCondB5ztziBCpxrwaB5ulvhBCABpsmhaB"},
    {"<+07>-7", "4E4IRI", "hgyg17RBok2QA4njJB48j3CCogbB43vDCo+VB"},
    {"<+10>-10", "4EAK", "hoth5oRBw34KAw4oKB"}, {"AEST-10AEDT,M10.1.0,M4.1.0/3", "4EBKWK", "hg9jiwO"
    "BgqmkBCg6gBBwlqEAw+g+BBg04pBCgkiBBgsnBCg+YBgqrBCABgoaBgqrBCgqWBg+tBCg0XBg0sBCACg+YBg0sBCg0XBAE"
    "g0sBCg8cBg2oBCgybBg2oBCg0XBg0sBCABg0XBgqrBCgybBggqBCABgoaBABggqBCg8cBgujBCg6gBBADgujBCgkiBBguj"
    "BCg6gBBADg8cCgsnBBg4kBCg6gBBgujBCADgkiBBgkiBCg6gBBg4kBCgkiBBgkiBCABgsmDBgkiBC"},
    {"<+05>-5", "4EkIRI", "horwl2RBg/k3DC"}, {"NZST-12NZDT,M9.5.0,M4.1.0/3", "4EpK6K", "hwm325RBwjq"
    "oBCggVBg+tBCg+YBg0sBCg0XBAEg0sBCg+YBg0sBCg0XBAEg0sBCg+YBg0sBCg0XBg2oBCgmeBgimBCACgwfBg4kBCACgw"
    "fBgimBCgmeBABgimBCgwfBg4kBCABgwfBgimBCgmeBABgimBCgwfBg4kBCAD"}, {"<-03>3", "4E5DSD4DJE", "hwoy"
    "0qSB4iLCo4qBB41ZCo4qBB41fCokiBB4tjBCokiBB4jiBCokiBD4xmJE4rSDo8jRCoseB47cCosnBB47cCo2oBB4xbCABo"
    "2oBB4jiBCokiBB47cCosnBB47cCo2oBB4xbCoujBB45gBCo2oBB47cCosnBBAC47cCo2oBB4xbCo2oBB4vfCo4kBB47cCo"
    "4kBB4tjBCoujBB47cCo2oBB4xbCACo2oBB47cCosnBBAB47cCo2oBB4xbCo2oBB4vfCo4kBB47cCosnBB45gBCoujBB4rn"
    "BCo2TB4nvBCo0XB4zsBCo+YB4prBCo+YB4vzDCoiRB4/UD"}, {"<-03>3", "4E4D", "hwo4hhTB"},
    {"NZST-12NZDT,M9.5.0,M4.1.0/3", "kKhKzKrKpK6K", "xq4s41MBhkz1/uDC4pWBogqBD87cBksnBDAC8leBkimBDA"
    "B8hmBBk8cD8rnBBADk8cD81oBBkybD81oBBk8cDs/nLEw+29BFggVEg+tBFg+YEg0sBFg0XEAEg0sBFg+YEg0sBFg0XEAE"
    "g0sBFg+YEg0sBFg0XEg2oBFgmeEgimBFACgwfEg4kBFACgwfEgimBFgmeEABgimBFgwfEg4kBFABgwfEgimBFgmeEABgim"
    "BFgwfEg4kBFAD"}, {"<+03>-3", "4EWH", "hg+037RB"},
    {"<+00>0<+02>-2,M3.5.0/1,M10.5.0/3", "4E3EjG", "hw1kj2UBoiIC"},
    {"<+05>-5", "4E4IRI", "h42xs9RBomqtCA4nzBB44q+BC"},
    {"CET-1CEST,M3.5.0,M10.5.0/3", "hFnFlGbH", "x/i51jOBx26mtrBCo2cBw+kBCg8cBgsnBCg8cBgojuBCgmxFBgy"
    "bCgujBBgkiBCgkiBBgkiBC43JDgiXCoqKBgybCgghBBo+hBC4xGD4lJCosSBg4kBCgwfBgujBCg6gBBgwphCCg6gBBgkiB"
    "CgkiBBACgkiBCgujBBgkiBCgkiBBAEgkiBCgujBBgkiBCgkiBBAEgujBC"}, {"<+03>-3", "VHWH", "tlu0tuRB"},
    {"<+05>-5", "UIRIkI6IlI", "59v1k+PBp15pxLC4x1sDD4piBCokiBDAB4piBCoqiBDwkiBCgkiBDgkiBCAEgkiBDguj"
    "BCgkiBEokiBBggVC4jNDgkiBCgkiBDACgkiBCgujBDgsnBCg8cDACg2oBCgybDABg2oBCg8cDgsnBCABg8cDg2oBCw9rp"
    "BB"}, {"<+03>-3", "AHgGcHWH", "ht9+1qQBhxx65vCC49VBo4nBC41cBABo+nBC4viBBo+hBC41cBoynBC41cBoq9N"
    "C4piBBo2iBC4jiBBokiBCAB4tjBBo+nBC4pcBoimBC4leBoskBC4xeBo4kBC45gBBokiBC4jiBBokiBC4vfBoimBCgmeBg"
    "imBCgwfBg4kBCABgwfBg01BCg+PBgojBCgqiBBg+hBCgqiBBgkiBCgkiBBgkiBCgsnBBg8cCgimBBgwfCgkiBBgkiBCgsn"
    "BBg8cCABg2oBBgybCABg2oBBg8cCgsnBBg8cC4j2DBosSCg2oBBgybCg2oBBg8cCgsnBBADg8cCg2oBBgybCg2oBBgqWCg"
    "+tBD"}, {"<+12>-12", "lKoK4K+K5KqKUK", "55g0k+PBpy3pxLC4x1sDD4piBCokiBEgqiBBokiBE4piBBoqiBEwki"
    "BBgkiBEgkiBBAEgkiBEgujBBgkiBFokiBGggVB4jNEgkiBBgkiBEACgkiBBgujBEgsnBBg8cEACg2oBBgybEABg2oBBg8c"
    "EgsnBBABg8cEg2oBBgybEACg2oBBg8cEgsnBBABg8cFo2oBGgybB"}, {"<+05>-5", "qH7HRIkIlITI", "hu81k+PBh"
    "m0pxLC473tDD4jiBEgqiBCokiBE4piBCoqiBEwkiBCgkiBEgkiBCAEgkiBEgujBCgkiBFokiBBggVC4jNEgkiBCgkiBEAB"
    "gkiBBokiBFgkiBBgujBFgsnBBg8cFACg2oBBgybFABg2oBBg8cFgsnBBABg8cFg2oBC"},
    {"<+05>-5", "3H7HRIlIkITI", "xm51k+PBxt3pxLC4x1sDD4piBEgkiBDgqiBCokiBD4piBCoqiBDwkiBCgkiBDgkiBC"
    "AEgkiBDgujBCgkiBFokiBBggVC4jNDgkiBCgkiBDACgkiBCgujBDgsnBCg8cDACg2oBCgybDABg2oBCg8cDgsnBCABg8cD"
    "g2oBC"}, {"<+05>-5", "5H7HRIlITI", "p041k+PB5/3pxLC4x1sDD4piBCokiBDAB4piBCoqiBDwkiBCgkiBDgkiBC"
    "AEgkiBDgujBCgkiBEokiBBggVC"}, {"<+05>-5", "wHWHRIkIlITI7H", "h171k+PBhg8pxLCw73tDD4jiBEgqiBCok"
    "iBE4piBCoqiBEwkiBCgkiBEgkiBCAEgkiBEgujBCgkiBFokiBGggVC4jNEgkiBCgkiBEACgkiBCgujBEgsnBCg8cEABgsn"
    "BCg8cFo2oBGgybFg2oBGABg8cFgsnBGABg8cFg2oBC"}, {"<+03>-3", "RHQHWH9H", "59qqy9NBpwlm10BCh31gg5D"
    "D41cCo+hBD4viBCoqiBD4piBCokiBDo+hBCgkiBDgkiBCADgkiBDgujBCwqiBDgqiBCgqiBDgqiBCgkiBDACgqiBCgqiBD"
    "gqiBCgkiBDACgqiBCgqiBDgqiBCgkiBDACgqiBCgqiBDgqiBCgkiBDACgqiBC"},
    {"<+03>-3", "rHxH7HWH", "ppo9w+QBpr2vzEC8h68BD"}, {"<+04>-4", "oHWH7HTI9H", "p081k+PB5w7h49BC4t"
    "xzBD4piBCokiBDAB4piBCoqiBDwkiBCgkiBDgkiBCAEgkiBDgujBCgkiBEokiBBgkiBEgkiBCwmwHDgsnBC47cDgsnBCg8"
    "cDABg2oBCgybDABg2oBCg8cDgsnBCABg8cDg2oBCgybDACg2oBCg8cDgsnBCABg8cDg2oBCgybDABg2oBCg8cDgsnBC"
    "AC"}, {"<+07>-7", "wIvI4I", "p80p4qNBgok2CC"}, {"<+07>-7", "bIkI4IUJ6I", "5/wl81PBpyx55TC4x1sD"
    "D4piBCokiBDAB4piBCoqiBDwkiBCgkiBDgkiBCAEgkiBDgujBCgkiBEokiBBggVC4jNDgkiBCgkiBDACo5LEgrWBgujBEg"
    "snBBg8cEACg2oBBgybEABg2oBBg8cEgsnBBABg8cEg2oBBgybEACg2oBBg8cEgsnBBABg8cEg2oBBgybC4t1HBokhDC"},
    {"EET-2EEST,M3.5.0/0,M10.5.0/0", "/GgGcH", "xrzq4qNBxyw61rCC4xnBBogeC4piBBo0gBC43kBBo4kBC4xbBo2"
    "+nCC41cBo4nBCAB41cBo+nBC41cBo4nBC41cBou+WC49SBo4nBC41cBACo+nBC41cBo4nBC41cBoynBC41cBow+LC4vfBo"
    "+kBCAC4vfBo+qBC41ZBo0mBC45dBo+kBC4vfBABoklBC4ndBo6gBC4jiBBokiBCAB4jiBBoujBC4jiBBokiBCAC"},
    {"<+06>-6", "QIRIkI6IlI", "hhx1k+PBhy4pxLC4x1sDD4piBCokiBDAB4piBCoqiBDwkiBCgkiBDgkiBCAEgkiBDguj"
    "BCgkiBEg2cB4lqBE4vfBo4kBEAD45gBB8kiBE4rnBBo8cEAB41oBBoybEAB41oBBo8cE4rnBBABo8cE41oBBoybEk7ZC"},
    {"<+08>-8", "KJGJOJ", "pkz3yhQBp0i17MC"},
    {"IST-5:30", "iIhIXIZIuI", "xi+346LBxwp3ldC14o32jCD92n3njCE4rqBDouUE431GD"},
    {"<+09>-9", "HJOJkJEKpJAK", "h6u/81PBh2l/4TC4x1sDD4piBCokiBDAB4piBCoqiBDwkiBCgkiBDgkiBCAEgkiBDg"
    "ujBCgkiBEokiBBggVC4jNDgkiBCgkiBDACgkiBCgujBDgsnBCg8cDACg2oBCgybDABg2oBCg8cDgsnBCABg8cDg2oBCgyb"
    "DACg2oBCg8cDgsnBCABg8cDg2oBCgybF4t1HBwkhDC"}, {"<+08>-8", "AJ4IOJpJ", "5kp/76OBpk3/moEC4nnLD4p"
    "iBCoqiBD4jiBCokiBDAF4tjBCokiBD4jiBCAEoujBD4jiBCokiBDAB4jiBC4gxFD47cCokiBD4jiBCADokiBD4tjBCoulS"
    "DojiBC4kiBDojiBC"}, {"CST-8", "WJQJrJ", "zyzooyOBv1vlsiBC4hgBBounsBC4jZBo2cC4vrBBo8QC4z1HBo6vB"
    "C4haBo4kBC4vlBBokiBC41cBo4nBC4hFB4shvCC49YBosnBC47cBo2oBC4xbBo2oBC47cBosnBCAB47cB"},
    {"<+0530>-5:30", "VIWIYIlIuItIkI", "py+p4qNBx/x88wBC5wvx3jCD85sBEs+1GC43psDF87cGksoUC"},
    {"<+06>-6", "nIhItIYIkI6I", "+4+6PBp//zqhDCxm1nlBDouUC43tTE8hx7DFgykBE"},
    {"<+03>-3", "BHgGcHWH", "x3n6/1PBxgi6RC4vfBo4kBCAC45gBBo4wyCC4hdBo4nBC4vcBokoBC41cBo4nBC4vcBo0m"
    "BC4/dBo4nBC41cBo+nBC41cBo4nBCAC41cBo+nBC41cBo4nBCAC41cBo+nBC41cBo4nBC4hXBostBC4hXBom7JC45gBBo6"
    "jBC45gBBoq+CC4hsBBo6aC43tBBowZC4jrBBoqcC4viBBokiBC4jiBB4piBC4piBBo0jBC4/gBBoghBC4piBBoojBC4piB"
    "BokiBC4piBBoqiBC4piBBo+hBC4viBBo4hBC41iBBokiBC4piBBoqiBC4piBBokiBCAC4piBBoqiBC4piBBokiBCAB4zgB"
    "BoujBC41oBBo8cC4xnBBosbC41oBBo8cC4rnBBADo8cC41oBBoybCAB41oBBo8cC4rnBBACo8cC41oBBoybCAB41oBD"},
    {"<+09>-9", "ZJOJkJ", "hgho+mPB4rwgCCg2lpCBoql0BC"}, {"<+04>-4", "zH7H", "x6+5/1PB"},
    {"<+05>-5", "JIRIkI6IlI", "h4z1k+PBh71pxLC4x1sDD4piBCokiBDAB4piBCoqiBDwkiBCgkiBDgkiBCAEgkiBDguj"
    "BCgkiBEoseB"}, {"EET-2EEST,M3.5.0/3,M10.5.0/4", "1GgGcHWH", "5ihsw5PBp7o6ukDC4jiBBowoBC49bBo0g"
    "BC45gBBoujBC4piBBo+hBC4jiBBoujBC45gBBokiBC4jiBBACokiBC4tjBBokiBC4jiBBAEokiBC4tjBBokiBC4jiBBAEo"
    "ujBC4jiBBokiBCAB4snBBg8cCg2oBBgybCABg2oBBg8cCgsnBBABg8cCg2oBBgybCACg2oBBg8cCgsnBBABg8cCg2oBBgy"
    "bCABg2oBBg8cCgsnBBACg8cCg9eDghuCBgybC"}, {"EET-2EEST,M3.4.4/50,M10.4.4/50", "4GgGcHhGdH", "hr3"
    "k5xOBhliyzqCCg8WBg6ICg8lEBgqcCgkoBBgwcCgkoBBgkfCgqlBBABwxwWC4/aBo4nBC41cBw4nBCowcB4joBCowcB49n"
    "BCACowcB4joBCowcB49nBCABo2cB43nBCwxGDoulPE4rSDoujBE49YDoqxKEg8HDgs5HEggVDgqrBE4naDoywBE4/UDoop"
    "BE4pcDosnBE4xbDo0sBE4zXDoimBE47cDosnBE4leDABognBE4ndDognBE49bDoqoBE4ndDowWBg6RCgwfBg4kBCABgwfB"
    "gsnBC4jiBBoujBC4jiBBokiBCADgwfBg4kBCoogBB4xhBC4zgBBo6jBCo+eB49kBC47cBosnBCgmeB5j5zhBCpznyWB589"
    "smBCprkjUBostBCg6gBBgujBC4jiBBokiBC4rnBBoidCgmnBBoidC41oBBoybCAB41oBBg2cC4xnBBo8cCgsnBBg8cCgwo"
    "BBg+bCowoBBokiBC4jiBBo6gBC4tjBBowfC43kBBo8cC4rnBBo8cC41oBBoybCAB41oBBo8cC4rnBBABo8cC41oBBoybCA"
    "C41oBBo8cC4hmBBomeC43kBBowfC4jiBBokiBC45gBBoujBC4leBomJC4pBBo8cC4xbBo8HC49DBo8cC4naBo8HC4nFBo8"
    "cC4zXBomJC4xGBo8cC4pWBo8HC4vKBoybC4/UBo8HC45LBoybC4rSBomJC4jNBo8cC43PBo8HC43PBo8cC4jNBomJC4hRB"
    "o8cC45LBo8HC4/UBoybC4vKBo8HC4pWBoybC47HBomJC4zXBo8cC4nFBo8HC4naBo8cC4zCBomJC4xbBo8cC4pBBomJC47"
    "cBo4kBC45gBBokiBC4jiBBowfC43kBBomeC4hmBBo8cC4rnBBo8cC41oBBoybCAC41oBBo8cC4rnBBABo8cC41oBBoybCA"
    "B4rnBBomeC43kBBowfC4tjBBo6gBC45gBBoujBC4vfBo8HC4pBBoybC4leBo8HC4zCBoybC4xbBomJC49DBo8cC49YBo8H"
    "C4xGBo8cC4pWBomJC47HBo8cC4/UBomJC4vKBoybC41TBo8HC4jNBoybC4hRBomJC4tOBo8cC4tOBo8HC4hRBo8cC4jNBo"
    "8HC4rSBo8cC4vKBomJC41TBo8cC4lJBo8HC4zXBoybC4xGBomJC49YBoybC4nFBomJC4naBo8cC4zCBo8HC47cB"},
    {"EET-2EEST,M3.4.4/50,M10.4.4/50", "6GgGcHhGdH", "zh3k5xOBvuiyzqCCg8WBg6ICg8lEBgqcCgkoBBgwcCgko"
    "BBgkfCgqlBBABwxwWC4/aBo4nBC41cBw4nBCowcB4joBCowcB49nBCACowcB4joBCowcB49nBCABo2cB43nBCwxGDoulPE"
    "4rSDoujBE49YDoqxKEg8HDgs5HEggVDgqrBE4naDoywBE4/UDoopBE4pcDosnBE4xbDo0sBE4zXDoimBE47cDosnBE4leD"
    "ABognBE4ndDognBE49bDoqoBE4ndDowWBg6RCgwfBg4kBCABgwfBgsnBC4jiBBoujBC4jiBBokiBCADgwfBg4kBCoogBB4"
    "xhBC4zgBBo6jBCo+eB49kBC4tdBo6mBCgmeBgimBC47ZB589smBCprkjUBouFC45FBokiBCg6gBBgujBC4jiBBokiBC4rn"
    "BBoidCgmnBBoidC41oBBoybCAB41oBBg2cC4xnBBo8cCgsnBBg8cCgwoBBg+bCowoBBokiBC4jiBBo6gBC4tjBBowfC43k"
    "BBo8cC4rnBBo8cC41oBBoybCAB41oBBo8cC4rnBBABo8cC41oBBoybCAC41oBBo8cC4hmBBomeC43kBBowfC4jiBBokiBC"
    "45gBBoujBC4leBomJC4pBBo8cC4xbBo8HC49DBo8cC4naBo8HC4nFBo8cC4zXBomJC4xGBo8cC4pWBo8HC4vKBoybC4/UB"
    "o8HC45LBoybC4rSBomJC4jNBo8cC43PBo8HC43PBo8cC4jNBomJC4hRBo8cC45LBo8HC4/UBoybC4vKBo8HC4pWBoybC47"
    "HBomJC4zXBo8cC4nFBo8HC4naBo8cC4zCBomJC4xbBo8cC4pBBomJC47cBo4kBC45gBBokiBC4jiBBowfC43kBBomeC4hm"
    "BBo8cC4rnBBo8cC41oBBoybCAC41oBBo8cC4rnBBABo8cC41oBBoybCAB4rnBBomeC43kBBowfC4tjBBo6gBC45gBBoujB"
    "C4vfBo8HC4pBBoybC4leBo8HC4zCBoybC4xbBomJC49DBo8cC49YBo8HC4xGBo8cC4pWBomJC47HBo8cC4/UBomJC4vKBo"
    "ybC41TBo8HC4jNBoybC4hRBomJC4tOBo8cC4tOBo8HC4hRBo8cC4jNBo8HC4rSBo8cC4vKBomJC41TBo8cC4lJBo8HC4zX"
    "BoybC4xGBomJC49YBoybC4nFBomJC4naBo8cC4zCBo8HC47cB"},
    {"<+07>-7", "8I9I4IOJkJ", "14zgz8OBg+qKCt39qy7BD432EEgigBCwgsDDg+0RC4t0JDg8hhBC"},
    {"HKT-8", "JJRJsJdJmJ", "h5j1u5OBwmsuCCgoUDk9PEsgrIB47cC8gqBBg+YCgqrBBg8cCgkiBBg8cCgsnBBACgmeCg"
    "snBBg8cC4rnBBooaC4/pBBooaC4prBBo+YC4prBBooaC4/pBBACooaC4prBBo+YCAB4prBBooaC4/pBBABowfC4jiBBoki"
    "BCAB4tjBBokiBC4jiBBADokiBC4tjBBokiBC4jiBBokNC4j3BBokiBC4jiBBABo8vFC4leB"},
    {"<+07>-7", "oIkI4IUJ", "ppw/76OB5g3/moEC4nnLD4piBCoqiBD4jiBCokiBDAF4tjBCokiBD4jiBCAEoujBD4jiBC"
    "okiBDAB4jiBC4gxFD47cCokiBD4jiBCADokiBD4tjBCoulSDojiBC4kiBDojiBC"},
    {"<+08>-8", "2I1I4IOJpJUJkJ", "/jzp4qNBg231CCj1hnyTD4x1sDE4piBDokiBEAB4piBDoqiBEwkiBDgkiBEgkiBD"
    "AEgkiBEgujBDgkiBFokiBCggVD4jNEgkiBDgkiBEACgkiBDgujBEgsnBDg8cEACg2oBDgybEABg2oBDg8cEgsnBDABg8cE"
    "g2oBDgybEACg2oBDg8cEgsnBDABg8cEg2oBDgybG4t1HD"}, {"<+03>-3", "bGcGgGcHWH9H", "xt2q4qNBhs2065BC"
    "x8wgwKD41cCo8uHD4xnBCogeD4piBCo0gBD43kBCoqtDD4taCo4nBD41cCoiyfD4lSCowKD4j3BCogkBD4jxHCoosBD47W"
    "Co2lBD4vfCo4kBD4vfCoujBD45gBCo4kBDAB4vfCo0hXD4v4CCoklBD4haCw6xSDg8cCoybD41oBCoiaD4lqBCooaD4/pB"
    "Co8cD43kBCowfDovQEws8KF45LEooqCCg8fDgmeCgqiBDgkiBCgkiBDADgujBCgkiBDgkiBCACg6gBDgujBCgkiBDgkiBC"
    "gujBDgsnBCg8cDACg2oBCgybDABg2oBCg8cDgsnBCABg8cDg2oBCgybDABg2oBCwybDg2oBCg8cDgsnBCABg8cDg2oBCg4"
    "bDgwoBCgybDg2oBCg8cDgsnBCgidDgmnBCg8cDggqBCgoaDg3eE"},
    {"WIB-7", "/I+IDJGJkJOJ5I", "h22ouzMBho+oiqDCgi9SDxyyi1RE0/vHDsqyFF87oEDkmodG"},
    {"WIT-9", "xJkJzJoJ", "x5yqkuQBxl8noWC89rpBD"}, {"IST-2IDT,M3.4.4/26,M10.5.0", "8G7GhGdH/H", "1"
    "vzq4qNB9ohmvnCCx3kmlqBDg8WCg6IDg8lECgqcDgkoBCgwcDgkoBCgkfDgqlBCABg2qDEg+SDguLCg+hBDgwiBCgkfDgw"
    "cCgklBDggqBCgmeDgkiBCg6gBDg8cCgmzBDgiRCABg8xBDgqWCgsnBDgybCw39jBD4rSCoujBD49YCoqxKDg8HCgs5HDgg"
    "VCgqrBD4naCoywBD4/UCoopBD4pcCosnBD4xbCo0sBD4zXCoimBD47cCosnBD4leCABognBD4ndCognBD49bCoqoBD4ndC"
    "oskBD41iBCo8iBD4lhBCoijBD47fC4gnBD47cCogqBDw5gBCo2iBD4vfCo8iBD4/jBCoogBD4tjBCoijBD4vfCw6jBD45j"
    "BCougBD4viBCo4hBD47fCoskBD45jBCougBD4viBCo4hBD47fCo2lBD4viBCo4hBD4lhBCoijBD"},
    {"<+0430>-4:30", "KI7HGI", "hq/py9NBhq+sunDC"}, {"<+12>-12", "QKUKoK5KqK", "ps95r7PB5gikqOC4x1s"
    "DD4piBCokiBDAB4piBCoqiBDwkiBCgkiBDgkiBCAEgkiBDgujBCgkiBEokiBBggVC4jNDgkiBCgkiBDACgkiBCgujBDgsn"
    "BCg8cDACg2oBCgybDABg2oBCg8cDgsnBCABg8cDg2oBCgybDACg2oBCg8cDgsnBCABg8cEo2oBBgybC"},
    {"PKT-5", "FIYIuIRISImI", "pqwrx9OBpg74ijCC431GBog4MDku2pBEgqtiCF4jiBEomjMF41cEo+eF4vlBE"},
    {"<+06>-6", "gIkI", "pmvqhlQB"}, {"<+0545>-5:45", "dIYIeI", "p4w5/1PBpy52k8DC"},
    {"<+09>-9", "uJOJkJEKpJAKVKUK", "3uk/81PBrhw/4TC4x1sDD4piBCokiBDAB4piBCoqiBDwkiBCgkiBDgkiBCAEgk"
    "iBDgujBCgkiBEokiBBggVC4jNDgkiBCgkiBDACgkiBCgujBDgsnBCg8cDACg2oBCgybDABg2oBCg8cDgsnBCABwxMFoqQG"
    "g2oBFgybGACg2oBFg8cGgsnBFABg8cGg2oBFgybHo7fF4y1GC"}, {"<+07>-7", "pIkI4IUJ6IOJ", "l/4zg2PB9ypr"
    "1TC4x1sDD4piBCokiBDAB4piBCoqiBDwkiBCgkiBDgkiBCAEgkiBDgujBCgkiBEokiBBggVC4jNDgkiBCgkiBDACgkiBCg"
    "ujBDgsnBCg8cDACg2oBCgybDABg2oBCg8cDgsnBCABg8cDg2oBCgybDACg2oBCg8cDgsnBCABg8cDg2oBCgybF4t1HC"},
    {"<+08>-8", "xI0I4IEJDJGJkJOJ", "168ooyOBz/30pIC7ukv8zBDh9qu0FEgkkMFx681bG0v0HFoo2tCH"},
    {"<+08>-8", "FJGJOJYJkJ", "hp13yhQBxvg17MC874FDh95/OChzoqtBDh95/OCh7/ktBDACh95/OChzoqtBDh95/OCh"
    "7/ktBDh95/OChryxKE4v0HC"}, {"<+03>-3", "kHWH", "p4s0tuRB"}, {"CST-8", "IJQJkJEKrJ", "94/0u5OBl"
    "mt47lCC4rYD41lBCo4eD41cCwipEBg4nBEg2cBg2lBEgmqBBg8cEgkiBBg2cEgsnBBg8cEABgynBBggeEgsnBBg8cEgsnB"
    "BgoaEggqBBgoaEgqrBBg+YE8qrBBooaE4/pBBACooaE4prBBo+YEAB4prBBooaE4/pBBABowfEwjiBBwkiBEAB4tjBBoki"
    "BE4jiBBADokiBE4tjBBokiBE4jiBBokNE4j3BBokiBE4jiBBABo8vFE4leB"}, {"<+11>-11", "HKAKUKqKVKoK", "h"
    "qt0k+PBhk5pxLC4x1sDD4piBCokiBDAB4piBCoqiBDwkiBCgkiBDgkiBCAEgkiBDgujBCgkiBEokiBBggVC4jNDgkiBCgk"
    "iBDACgkiBCgujBDgsnBCg8cDACg2oBCgybDABg2oBCg8cDgsnBCABg8cDg2oBCgybDACg2oBCg8cDgsnBCABg8cDg2oBCg"
    "ybF4t1HBwsmDC"}, {"WITA-8", "MJNJOJkJTJ", "h5g5/1PBggvbCh/jluRD473HE"},
    {"PST-8", "AAVJSJtJmJ", "xhg39oLBxivm7mDCgpwvCD4nOCoywKD47KEgoxGDggzBCo08RD4jKCoo6wBD4rhBCogjbD"
    "49MC"}, {"<+04>-4", "6H7H", "hp95/1PB"}, {"EET-2EEST,M3.5.0/3,M10.5.0/4", "0GgGcH", "xrhsw5PBx"
    "yo6ukDC4jiBBowoBC49bBo0gBC45gBBoujBC4piBBo+hBC4jiBBoujBC45gBBokiBC4jiBBACokiBC4tjBBokiBC4jiBBA"
    "EokiBC4tjBBokiBC4jiBBAEoujBC4jiBBokiBCAB4snBB"}, {"<+07>-7", "fIkI4IUJ6I", "hsiwk+PBhmgvxLC4x1"
    "sDD4piBCokiBDAB4piBCoqiBDwkiBCgkiBDgkiBCAEgkiBDgujBCgkiBEokiBBggVC4jNDgkiBCgkiBDACgkiBCgujBDgs"
    "nBCg8cDACg2oBCgybDABg2oBCg8cDgsnBCABg8cDg2oBCgybDACg2oBCg8cDgsnBCABg8cEo2oBBgybC"},
    {"<+07>-7", "aIkI4IUJ6I", "y2h7RB5/jj5TC4x1sDD4piBCokiBDAB4piBCoqiBDwkiBCgkiBDgkiBCAEgkiBDgujBC"
    "gkiBEokiBBggVC4jNDgkiBCgkiBDovKEg1XBgkiBEgkiBBABgujBEgsnBBg8cEACg2oBBgybEABg2oBBg8cEgsnBBABg8c"
    "Eg2oBBgybEACg2oBBg8cEgsnBBABg8cEg2oBBgybC4t1HBou3DC"}, {"<+06>-6", "NIRIkI6IlI4I", "try831PB1n"
    "3i+TC4x1sDD4piBCokiBDAB4piBCoqiBDwkiBCgkiBDgkiBCAEgkiBDgujBCgkiBEokiBBggVC4jNDgkiBCgkiBDACgkiB"
    "CgujBDgsnBCg8cDACg2oBCgybDABg2oBCg8cDgsnBCABg8cDg2oBCgybDACg2oBCg8cDgsnBCABg8cDg2oBCgybF4t1"
    "HC"}, {"<+05>-5", "sHWHRIlIkITI7H", "5971k+PBp37pxLCwx1sDD4piBEgkiBDgqiBCokiBD4piBCoqiBDwkiBCg"
    "kiBDgkiBCADgkiBFokiBGgkiBFgujBGgkiBFgkiBGggVC4jNFokiBGgkiBFgkiBGACgujBFgsnBGg8cFACg2oBGgybFABg"
    "2oBGg8cFgsnBGABg8cFg2oBC"}, {"<+07>-7", "3I9I4IOJkJ", "py0gz8OBt+y7iJCt39qy7BD432EEgigBC"},
    {"WIB-7", "BJCJGJkJOJTJ5I", "hg5thgPBgku0BCxwirsRD095HCsqyFE87oECkmodF8zrzBG"},
    {"KST-9", "aJcJmJnJ", "55qv8/OB51y4hHC8lgoCDgk41EBgs6FD"},
    {"<+03>-3", "vH7HWH", "hzg6/1PBh56/yiDC"}, {"<+05>-5", "CI7HRIlIkITI", "5l21k+PBpu6pxLC4x1sDD4p"
    "iBEgkiBDgqiBCokiBD4piBCoqiBDwkiBCgkiBDgkiBCAEgkiBDgujBCgkiBFokiBBggVC4jNDgkiBCgkiBDACgkiBCgujB"
    "DgsnBCg8cDACg2oBCgybDABg2oBCg8cDgsnBCABg8cDg2oBEo9rpBC"}, {"<+05>-5", "DI7HRIlIkITI", "hq11k+P"
    "Bhq7pxLC4x1sDD4piBEgkiBDgqiBCokiBD4piBCoqiBDwkiBCgkiBDgkiBCAEgkiBDgujBCgkiBFokiBC4/UE4jNDokiBC"
    "gkiBDgkiBCACgujBDgsnBCg8cDACg2oBCgybDABg2oBCg8cDgsnBCABg8cDg2oBEonoeC"},
    {"<+0630>-6:30", "qIrItIkJ", "j92p4qNBgmz1CCvskigqBDs7tGC"}, {"<+03>-3", "iHWH", "prt8kpRB"},
    {"<+11>-11", "2JkJUKqKVKAK", "x74y/6OBxzy/nrCCwhmsCD4piBCokiBDAB4piBCoqiBDwkiBCgkiBDgkiBCAEgkiB"
    "DgujBCgkiBEokiBFggVC4jNDgkiBCgkiBDACgkiBCgujBDgsnBCg8cEosnBFg8cEgsnBFg8cEg2oBFgybEABg2oBFg8cEg"
    "snBFABg8cEg2oBFgybEACg2oBFg8cEgsnBFABg8cEg2oBFgybC4t1HFokhDC"}, {"<+05>-5", "EI7HRIlIkI", "vz0"
    "1k+PBzg8pxLC4x1sDD4piBEgkiBDgqiBCokiBD4piBCoqiBDwkiBCgkiBDgkiBCAEgkiBDgujBCgkiBDgkiBC"},
    {"KST-9", "bJcJmJnJGK1J", "xnqv8/OBhoz4hHC8/ioCDg+6FE4vTDo8lBE4leDo8lBE4reDo0sBE4zXDootFBk8sCF4"
    "5XBo0vBF49YBo2oBF4naBogqBFAC4naBok9BDsoj3BEg8cDgsnBEg8cD"},
    {"<+08>-8", "zI0I4IEJDJGJkJOJ", "n67ooyOBgouJC7ukv8zBDh9qu0FEgkkMFx681bG0v0HFoo2tCH"},
    {"<+11>-11", "LKAKUKqKVKoK", "p+r0k+PB5v6pxLC4x1sDD4piBCokiBDAB4piBCoqiBDwkiBCgkiBDgkiBCAEgkiBD"
    "gujBCgkiBEokiBBggVC4jNDgkiBCgkiBDACgkiBCgujBDgsnBCg8cDACg2oBCgybDABg2oBCg8cDgsnBCABg8cDg2oBCgy"
    "bDACg2oBCg8cDgsnBCABg8cDg2oBCgybF4t1HC"}, {"CST-8", "XJQJmJrJ", "xhqr7oOBx2s5wuCCggiRBgosBD4ha"
    "Bo4kBD4vlBBokiBD41cBo4nBDAC41cBowcD49tBBoqcD4joBBABoqcD4piBBoqiBD4piBBokiBDAC4piBBo4tBD47WBoyt"
    "BD47WBo+3aD4piBBokiBD4piBBo2gID4nRB"}, {"<+05>-5", "LIRIkI6IlI", "zwz1k+PBvi2pxLC4x1sDD4piBCok"
    "iBDAB4piBCoqiBDwkiBCgkiBDgkiBCAEgkiBDgujBCgkiBEokiBB"}, {"<+04>-4", "THUHWH7HTI9H", "jgvq4qNBg"
    "g8+CC/k5h49BD4txzBE4piBDokiBEAB4piBDoqiBEwkiBDgkiBEgkiBDAEgkiBEgujBDgkiBFokiBCwjiBF4jiBCokiBFA"
    "B4jiBDgkiBE4jiBDoujBE4zrDDo8cE4rnBDo8cE41oBDoybEAB41oBDo8cE4rnBDABo8cE4hRFg1XCgybD"},
    {"<+0330>-3:30", "tHuHxHHI7HTI", "x8whvuPBg6zpBCh/7tyuCDg+nBEkidFg+YEgsSCk+kBD4xVCowiBD47iBCos2"
    "WD4zaCokiBD4viBCo+hBDAD4viBCokiBD4viBCo+hBDAC4viBCokiBD4viBCo+hBDAC4viBCokiBD4viBCo6qFD4viBCok"
    "iBD4viBCo+hBDAC4viBCokiBD4viBCo+hBDAC4viBCokiBD4viBCo+hBDAC4viBCokiBD4viBCo+hBD4viBC"},
    {"<+06>-6", "jIYIkI", "p38n+pRBpj8svrCC"},
    {"JST-9", "wJmJFK", "hnk655NBg4jhECg+YBgimBCgmeBg0sBCg0XBAB"}, {"<+07>-7", "cIkI4IUJ6I", "zt5k+"
    "1PBvkp63TC4x1sDD4piBCokiBDAB4piBCoqiBDwkiBCgkiBDgkiBCAEgkiBDgujBCgkiBEokiBBggVC4jNDgkiBCgkiBDA"
    "CgkiBCgujBDgsnBCg8cDACg2oBCgybDABg2oBCg8cDg6FEoyhBBg8cEgsnBBg8cEg2oBBgybEACg2oBBg8cEgsnBBABg8c"
    "Eg2oBBgybC4t1HBo+sDC"}, {"<+10>-10", "3JOJkJqKUKVKAKoK", "17g/81PBt0z/4TC4x1sDDopiBEokiBD4piBE"
    "ABoqiBDwkiBEgkiBDgkiBEAEgkiBDgujBEgkiBFokiBGggVE4jNDgkiBEgkiBDACgkiBEgujBDgsnBEg8cDACg2oBEgybD"
    "ABg2oBEg8cDgsnBEABg8cDg2oBEgybDACg2oBEg8cDgsnBEABg8cDg2oBEgybHo7fE4y1GG"},
    {"<+07>-7", "yI9I4IOJkJ", "h11gz8OB17x7iJCt39qy7BD432EEgigBCwgsDD4vmRC"},
    {"<+10>-10", "iJkJAKVKEKUK", "7110s7PBn53ppOC4x1sDD4piBCokiBDAB4piBCoqiBDwkiBCgkiBDgkiBCAEgkiBD"
    "gujBCgkiBEokiBBggVC4jNDgkiBCgkiBDACgkiBCgujBDgsnBCg8cDACg2oBCgybDABg2oBCg8cDgsnBCABg8cDg2oBCgy"
    "bDACg2oBCg8cDgsnBCABg8cDg2oBCgybF4t1HC"}, {"<+09>-9", "fJOJkJEKpJAK", "9ln/81PBlqt/4TC4x1sDD4p"
    "iBCokiBDAB4piBCoqiBDwkiBCgkiBDgkiBCAEgkiBDgujBCgkiBEokiBBggVC4jNDgkiBCgkiBDACgkiBCgujBDgsnBCg8"
    "cDACg2oBCgybDABg2oBCg8cDgsnBCABg8cDg2oBCgybDACg2oBCg8cDgsnBCABg8cDg2oBCgybF4t1HC"},
    {"<+05>-5", "BI2H7HRIlITIkI", "vy2rtvPBxt0u2FCj0llyUD4x1sDE4piBDokiBEAB4piBDoqiBEwkiBDgkiBEgkiB"
    "DAEgkiBEgujBDgkiBFokiBCggVD4jNEgkiBDgkiBEACgkiBDgujBEgsnBDg8cEACg2oBDgybEABg2oBDg8cEgsnBDABg8c"
    "Eg2oBDgybEACg2oBDg8cEgsnBDABg8cEg2oBDgybG4t1HD"}, {"<+04>-4", "SHWH7HTI9H", "xk/1k+PBxg5h49BC4"
    "txzBD4piBCokiBDAB4piBCoqiBDwkiBCgkiBDgkiBCAEgkiBDgujBCgkiBEokiBBgkiBEgkiBBACgkiBEgkiBC41nDDgsn"
    "BCg8cDABg2oBCgybDABg2oBCg8cDgsnBCABg8cDg2oBCgybDACg2oBCg8cDgsnBCABg8cDg2oBCgybDg2oBC"},
    {"<-01>1<+00>,M3.5.0/0,M10.5.0/1", "MELEIEcE8EbE7EwF", "h5/jpyNBhxnm10BC4zxJDowZCgwWD43qBCo2ZDA"
    "B43qBCo8ZD43qBCo2ZD43qBCgyrFDgigBCggpDDgwfCgujBDg6gBCg4kBDABgwfCggpDDgwfCgkiBDgkiBCg2nDDgkiBCg"
    "6gBDgujBCg4kBDgwfCgkiBDgkiBCg6gBDgujBCg4kBDg2oBCgsSDgsqBCg4hBDgqiBCggeD47HEggVDokNCgoaD4xGEg+Y"
    "Do6LCg+YD47HEg0XDo6LCg+YD47HEg0XDo6LCgmeDgkiBC4kiBDgkiBCgkiBDADgujBCgkiBDgkiBCADgkiBDgujBCgkiB"
    "DgkiBCAEgkiBDgujBCgkiBDgkiBCACgkiBDgkiBFovkhBEgkiBFgkiBEABgujBFgkiBEgkiBFAEgkiBEgujBFgkiBEgkiB"
    "FABoiRG4hRHgmPEg+SFgkiBEgkiBFABgujBE"}, {"AST4ADT,M3.2.0,M11.1.0", "6C5C0DTD6D", "tk+ry9NBg4q6"
    "BC4rhBBoykBC4hdB4ulYD1vk+zWE4v0BDo8cE4/pBDo+YE4zsBDo0XE4zsBDogpDE4pWDoovBE41TDoywBE41TDo8xBE4r"
    "SDABo8xBE41TDo0+HE47cDoqulBE4jiBDokiBEAB4tjBDo6gBE4tjBDokiBE4jiBDADokiBE4tjBDo6gBE4tjBDokiBE4j"
    "iBDAComeE4hmBDomeE4rnBDo8cEAB4rnBDomeE4hmBDABomeE4rnBDo8cEAB4rnBDomeE4hmBDAComeE4rnBDo8cEAB4rn"
    "BDomeE4hmBDABomeE4rnBDo8cEAB4rnBDo+YE"}, {"WET0WEST,M3.5.0/1,M10.5.0", "aEbE7EwF", "hvghi6PBhj"
    "t2nuBCwr3nCDo6gBCgkiBDgkiBCACgkiBDgujBCgkiBDgkiBCAEgkiBDgujBCgkiBDgkiBCAEgujBD"},
    {"<-01>1", "NEIEcEbE", "hqnq+mPBgm0hCC431GB4kugCD"}, {"WET0WEST,M3.5.0/1,M10.5.0", "oE7EwF", "x"
    "lkmv/OBxzj52pECgkiBBgkiBCACgujBBgkiBCgkiBBAEgkiBCgujBBgkiBCgkiBBAEgujBC"},
    {"WET0WEST,M3.5.0/1,M10.5.0", "VEUEbE8EsF7EwF", "x17jpyNBxzkm10BC4zxJDowZCgwWD43qBCo2ZDAB43qBCo"
    "8ZD43qBCo2ZD43qBCgyrFDgigBCggpDDgwfCgujBDg6gBCg4kBDABgwfCggpDDgwfCgkiBDgkiBCg2nDDgkiBCg6gBDguj"
    "BCg4kBDgwfCgkiBDgkiBCg6gBDgujBCg4kBDg2oBCgsSDgsqBCg4hBDgqiBCggeD47HEggVDokNCgoaD4xGEg+YDo6LCg+"
    "YD47HEg0XDo6LCg+YD47HEg0XDo6LCgmeDgkiBC4kiBDgkiBCgkiBDADgujBCgkiBDgkiBCADgkiBDgujBCgkiBDgkiBCA"
    "EgkiBDgujBCgkiBDgkiBCACgkiBDgkiBFo5lhBGg6gBFgkiBGgkiBFgkiBGgujBFgkiBGgkiBFgkiBGokiBFgkiBGgkiBF"
    "ACgkiBGgujBFgkiBGgkiBFAEgujBG"}, {"GMT0", "QEbE8E5E", "h6zxt/OBhmtimRCoytBB47WCouyBB4/RCouyBB4"
    "77CCo6RB4vmmBCwkiBBoqWC4nvBBgqWCg+tBBg0XCgqrBBg+YCACg0sBBg0XCg0sBBgmeCgimBBABgmeCgsnBBg8cCgimB"
    "BgmeCgsnBBgmeCgimBBADgmeCgsnBBgmeCgimBBAEgmeCgsnBBgmeCgimBBADgmeCgsnBBgmeD"},
    {"<-02>2", "EEIE", "h8wry9NB"}, {"GMT0", "sErE5E", "xtiry9NBgqxiEC"},
    {"<-03>3", "dDeDSD5D4DJE", "576ry9NBg2vvBCp49rhwBD45gBCoujBD45gBCo4kBD45gBCoujBDAC4/RCo8p2CE4xb"
    "F41oBEooaF4/pBEooaDg2oBCoybD41oBCACoybD4/pBCooaD4/pBCoybD41oBCADoybD4/pBCoybD41oBCADoybDo2oBCo"
    "oaD4prBCo+YD4prBCooaD4/pBCADooaD4prBCooaD4/pBCABooaE"},
    {"AEST-10AEDT,M10.1.0,M4.1.0/3", "IKBKWK", "5zxpknOBp0hhnpBCgyPBgwg1BCgqQBgkiBCgkiBBgujBCg6gBBg"
    "gi7BCgqWBg+tBCg0XBg0sBCACg+YBg0sBCg0XBAEg0sBCgmeBgsnBCg0XBg0sBCACgoaBg2oBCgybBggqBCABgoaBggqBC"
    "g0XBg0sBCACg+YBg0sBCg0XBABg0sBCg8cBgsnBCACg8cBg2oBCgybBg8cCgsnBBg2oBCg8cBgsnBCABg8cBg2oBCgybBg"
    "2oBCg8cBgsnBCgybBg2oBCgmeB"}, {"ACST-9:30ACDT,M10.1.0,M4.1.0/3", "vJlJ0JOK", "px3pknOB5l8t/HCs"
    "k6lBDgyPCgwg1BDgqQCgkiBDgkiBCgujBDg6gBCggi7BDgqWCg+tBDg0XCg0sBDACg+YCg0sBDg0XCAEg0sBDg+YCg0sBD"
    "g0XCACg0sBDgoaCg2oBDgybCggqBDABgoaCABggqBDg0XCg0sBDgybCg2oBDg+YCg0sBDgoaCggqBDgybCg2oBDg8cCgsn"
    "BDACg8cCg2oBDgybCABg2oBDg8cCgsnBDABg8cCg2oBDgybCg2oBDg8cCgsnBDgybCg2oBDgmeC"},
    {"AEST-10", "KKBKWK", "xwhm/mOBx3xkspBCgyPBgwg1BCgqQBgkiBCgkiBBgujBCg6gBBggi7BCgqWBgk6lBCg0XBg0"
    "sBCABg0XB"}, {"ACST-9:30ACDT,M10.1.0,M4.1.0/3", "yJBKlJ0JOK", "pm2pknOB53u49CCo+3FDsk6lBEgyPDg"
    "wg1BEgqQDgkiBEgkiBDgujBEg6gBDggi7BEgqWDg+tBEg0XDg0sBEACg+YDg0sBEg0XDAEg0sBEgmeDgsnBEg0XDg0sBEA"
    "CgoaDg2oBEgybDggqBEABgoaDggqBEg0XDg0sBEACg+YDg0sBEg0XDABg0sBEg8cDgsnBEACg8cDg2oBEgybDABg2oBEg8"
    "cDgsnBEABg8cDg2oBEgybDg2oBEg8cDgsnBEgybDg2oBEgmeD"},
    {"AEST-10AEDT,M10.1.0,M4.1.0/3", "+JBKWK", "puynnoOB55790nBCg6gBBg2oBCg0XBg0sBCg0XBg+7wBCgqQBgk"
    "iBCgkiBBgujBCg6gBBguqyBCgkiBBgsnBCg+YBgqrBCABgoaBgqrBCgqWBg+tBCg0XBg0sBCACg+YBg0sBCg0XBAEg0sBC"
    "g8cBg2oBCgybBg2oBCg0XBg0sBCABg0XBgqrBCgybBggqBCABgoaBABggqBCg8cBgujBCg6gBBADgujBCgkiBBgujBCg6g"
    "BBADg8cCgsnBBg4kBCg6gBBgujBCADgkiBBgkiBCg6gBBg4kBC"},
    {"ACST-9:30", "gJlJ0JOK", "xl7pknOBxx4t/HCsk6lBDgyPCgwg1BDgqQCgkiBDgkiBCgujBDg6gBC"},
    {"<+0845>-8:45", "eJhJ7J", "hr3n2oOBp2kj1nBCgyPBgwg1BCgqQBgkiBCgkiBBggzjCCg0XBgoxSCg0XBg0vQCg2T"
    "Bg0yfCggVBg2oBCg8cBgsnBCg8cB"}, {"<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "RKBKNKiKVK", "59tpkn"
    "OBpw3/8hFCs0sBD49YCo0sBD4zXCACo0sBE8naCk2oBE8xbCkgqBEAB8naCkgqBE8zXCk0sBEAC89YCk0sBE8zXCABk0sB"
    "E87cCksnBEAC87cCk2oBE8xbCk8cE8rnBCk2oBE87cCksnBEAB87cCk2oBE8xbCk2oBE87cCksnBE8xbCk2oBE8leC"},
    {"AEST-10", "/JBKWK", "ptjm/mOB56vkspBCgyPBgwg1BCgqQBgkiBCgkiBBgujBCg6gBBggi7BCgqWBgk6lBCg0XBg0"
    "sBCACg+YBg0sBCg0XB"}, {"AEST-10AEDT,M10.1.0,M4.1.0/3", "5JBKWK", "xx0pknOBx2+gnpBCgyPBgwg1BCgq"
    "QBgkiBCgkiBBgujBCg6gBBggi7BCgqWBg+tBCg0XBg0sBCACg+YBg0sBCg0XBAEg0sBCg+YBg0sBCg0XBACg0sBCgoaBg2"
    "oBCgybBg2oBCg8cBggqBCgoaBABggqBCg0XBg0sBCABg+YBg0sBCg0XBg0sBCgybBg2oBCg8cBgsnBCACg8cBg2oBCgybB"
    "g8cCgsnBBg2oBCg8cBgsnBCABg8cBg2oBCgybBg2oBCg8cBgsnBCgybBg2oBCgmeB"}, {"AWST-8", "LJPJqJ", "pu9"
    "n2oOB57jj1nBCgyPBgwg1BCgqQBgkiBCgkiBBggzjCCg0XBgoxSCg0XBg0vQCg2TBg0yfCggVBg2oBCg8cBgsnBCg8cB"},
    {"CET-1CEST,M3.5.0,M10.5.0/3", "nFlG", "h29/ivPBo2cAw+kBBg8cAgsnBBg8cAgojuBBgmxFAgybBgujBAgkiBB"
    "gkiBAgkiBBgqfAgswjCBg6gBAgujBBgkiBAgkiBBgkiBAgujBBg6gBAgkiBBgkiBAACgkiBBgujBAgkiBBgkiBAAEgkiBB"
    "gujBAgkiBBgkiBAAEgujBB"}, {"CST6CDT,M3.2.0,M11.1.0", "lBTCVCUC", "hooo2yPB4rnBAo8cB4rnBAo02vBC"
    "4vwHDg2IAo8luBB4jiBAokiBBAD4tjBAokiBB4jiBAABokNB4j3BAoqWB49tBAokiBB4tjBAo6gBB4tjBAokiBB4jiBAAD"
    "okiBB4tjBAo6gBB4tjBAokiBB4jiBAAComeB4hmBAomeB4rnBAo8cBAB4rnBAomeB4hmBAABomeB4rnBAo8cBAB4rnBAom"
    "eB4hmBAAComeB4rnBAo8cBAB4rnBAomeB4hmBAABomeB4rnBAo8cBAB4rnBAo+YB"},
    {"<-06>6<-05>,M9.1.6/22,M4.1.6/22", "MBLBSBmBkBSC", "xgzsy9NBg6p7CCx79nhkCD4xbCo0sBD4zXCo4kBD47"
    "cCosnBD47cCo2oBD4xbCoimBD4leCo2oBD4xbCo2oBD47cCosnBDAB47cCo2oBD4xbCABo2oBD47cCosnBD47cEosnBFAB"
    "47cEo2oBF4xbEABo2oBF4jiBEokiBF47cEosnBF47cEo2oBF4xbEoujBF45gBEo2oBF47cEosnBFAC47cEo2oBF4xbEo2o"
    "BF4vfEo4kBF47cEo4kBF4tjBEoujBF47cEo2oBF4xbEACo2oBF47cEosnBFAB47cEo2oBF4xbEo2oBF4vfEo4kBF47cEos"
    "nBF45gBEoujBF4rnBEo2TF4nvBEo0XF4zsBEo+YF4prBEo+YF4vzDEoiRF4lzBEABoiRF4zsBEo8cF4rnBEAComeF4hm"
    "BE"}, {"EET-2EEST,M3.5.0/3,M10.5.0/4", "gGcH", "h5jh2hTBg6gBAgujBBgkiBAgkiBBgkiBAgujBBg6gBAgki"
    "BBgkiBAACgkiBBgujBAgkiBBgkiBAAEgkiBBgujBAgkiBBgkiBAAEgujBB"}, {"EST5", "RC", ""},
    {"EST5EDT,M3.2.0,M11.1.0", "RCWDYDXD", "hnho2yPB4rnBAo8cB4rnBAo02vBCgwwHD41IAo8luBB4jiBAokiBBAD"
    "4tjBAokiBB4jiBAABokNB4j3BAoqWB49tBAokiBB4tjBAo6gBB4tjBAokiBB4jiBAADokiBB4tjBAo6gBB4tjBAokiBB4j"
    "iBAAComeB4hmBAomeB4rnBAo8cBAB4rnBAomeB4hmBAABomeB4rnBAo8cBAB4rnBAomeB4hmBAAComeB4rnBAo8cBAB4rn"
    "BAomeB4hmBAABomeB4rnBAo8cBAB4rnBAo+YB"}, {"IST-1GMT0,M10.5.0,M3.5.0/1", "qEpETF5EtFuFoF9E", "j"
    "v3z7rNBwyzsCCg+YD/4ykfEgseDgojBEg0jBDg+hBEgqiBDg+hBEgynBDggeEgqiBDg0gBFg4kBDg4kBFgybDgsnBFgmeD"
    "gsnBFgwfDg4kBFgwfDgujBFg6gBDgimBFgwfDg4kBFgwfDgujBFg6gBDg4kBFgwfDABgujBFgkiBDg4kBFgwfDgujBFg6g"
    "BDg4kBFgwfDABgujBFg6gBDg4kBFg2oBDgsSFg6kODgmeFgqrBDgwfFg4kBDg8cFgsnBDgwfFgujBDg6gBFgujBDgkiBFg"
    "ujBDg6gBFgwfDgujBFg6gBDg4kBFgwfDgimBFgwfDgujBFg6gBDg4kBFgwfDABgujBFg6gBDg6gBFg2oBDgybFg2oBDg8c"
    "FgsnBDgybFg2oBDACgybFggqBDggVFonvBG4iuGHgoaGggqBHADgybGg2oBHABgybGggqBHgoaGABggqBH47cGgsnBHg8c"
    "GACg2oBHg8cGgsnBHADg8cGg2oBHgybGg2oBHg8cGgsnBHAEgmeG"}, {"GMT0", "5E", ""},
    {"<-01>1", "bE", ""}, {"<-10>10", "bA", ""}, {"<-11>11", "RA", ""}, {"<-12>12", "HA", ""},
    {"<-02>2", "IE", ""}, {"<-03>3", "4D", ""}, {"<-04>4", "SD", ""}, {"<-05>5", "PC", ""},
    {"<-06>6", "kB", ""}, {"<-07>7", "SB", ""}, {"<-08>8", "+A", ""}, {"<-09>9", "vA", ""},
    {"<+01>-1", "lF", ""}, {"<+10>-10", "AK", ""}, {"<+11>-11", "UK", ""}, {"<+12>-12", "oK", ""},
    {"<+13>-13", "4K", ""}, {"<+14>-14", "9K", ""}, {"<+02>-2", "eG", ""}, {"<+03>-3", "WH", ""},
    {"<+04>-4", "7H", ""}, {"<+05>-5", "RI", ""}, {"<+06>-6", "kI", ""}, {"<+07>-7", "4I", ""},
    {"<+08>-8", "OJ", ""}, {"<+09>-9", "kJ", ""}, {"UTC0", "6E", ""},
    {"CET-1CEST,M3.5.0,M10.5.0/3", "JFIF9F+FKFlGnF", "5264j2KBg2huFC41cB4+kBCg8cBg4kBCgkiBBgujBCg6g"
    "BBACg+hBCg4kBBgosBCggYBg6gBCgujBBgytBCg2WBg6pBCguaBggqBCgoaBgsqBCgmbBgopBCggbBgupBCg6aBg0pBCg0"
    "aBgqrBCg+YBgmqBCgsbBgipBCgmbBgopBCggbBg0pBCg0aBgkrBCovHDpxrwPEggqBDgoaEgmqBDgsbEwtpBFhssq0EGgy"
    "bFgujBGgkiBFgkiBGgkiBFgqfGgswjCFg6gBGgujBFgkiBGgkiBFgkiBGgujBFg6gBGgkiBFgkiBGACgkiBFgujBGgkiBF"
    "gkiBGAEgkiBFgujBGgkiBFgkiBGAEgujBF"}, {"CET-1CEST,M3.5.0,M10.5.0/3", "/E7EnFlG", "p5rqoyOB52zs"
    "h2CCo0syCDgkiBCgkiBDAEgujBCgkiBDgkiBCAEgujBD"}, {"<+04>-4", "lHWH7HTI9H", "p30wk+PB59ivxLC4x1s"
    "DD4piBCokiBDAB4piBCoqiBDwkiBCgkiBDgkiBCADgkiBEokiBBgkiBEgujBBgkiBC4nkCEokiBBgkiBEgkiBBACgujBEg"
    "snBBg8cEACg2oBBgybEABg2oBBg8cEgsnBBABg8cEg2oBBgybEACg2oBBg8cEgsnBBABg8cEg2oBBgybC4t1HBokhDC"},
    {"EET-2EEST,M3.5.0/3,M10.5.0/4", "HGGGgGcHlGnF", "pk+tpoOB5zkionBChmkz/dD4vKCo4sSD4pEEgrnDFw3bE"
    "4njBFoqiBC4r0RD4nXCo4gwBDg4qBCw2ZDgkiBCg6gBDgghBCgojBDo6gBCwvjBDg8hBC41iBD43hBCgliBDgkiBCgkiBD"
    "ACgujBCgkiBDgkiBCAEgkiBDgujBCgkiBDgkiBCAEgujBD"},
    {"GMT0BST,M3.5.0/1,M10.5.0", "1E5EtFkGmF", "382jtuLBr9xm5gECg+YBgujBCgseBgojBCg0jBBg+hBCgqiBBg+"
    "hBCgynBBggeCgqiBBg0gBCg4kBBg4kBCgybBgsnBCgmeBgsnBCgwfBg4kBCgwfBgujBCg6gBBgimBCgwfBg4kBCgwfBguj"
    "BCg6gBBg4kBCgwfBABgujBCgkiBBg4kBCgwfBgujBCg6gBBg4kBCgwfBABgujBCg6gBBg4kBCg2oBBgsSC4rxCDgsSCg0s"
    "BDg0XCg0sBDg+YCgqrBDgwfCg+kBDgwTCo4PBgujBCg6gBBgmeC4nFDgqWCo4PBg+YCgqrBBg8cCgsnBBgwfCgujBBg6gB"
    "CgujBBgkiBCgujBBg6gBCgwfBgujBCg6gBBg4kBCgwfBgimBCgwfBgujBCg6gBBg4kBCgwfBABgujBCg6gBBg6gBCg2oBB"
    "gybCg2oBBg8cCgsnBBgybCg2oBBACgybCggqBBggVConvBE4iuGBgoaCggqBBADgybCg2oBBABgybCggqBBgoaCABggqBB"
    "47cCgsnBBg8cCACg2oBBg8cCgsnBBADg8cCg2oBBgybCg2oBBg8cCgsnBBAEgmeC"},
    {"CET-1CEST,M3.5.0,M10.5.0/3", "/FnFlG", "xkqjpyNBx5i14rDC4spDBgybCgujBBgkiBCgkiBBg8oBCgyYBg8pw"
    "CCgkiBBgkiBCgujBBgkiBCgkiBBAEgkiBCgujBBgkiBCgkiBBAEgujBC"},
    {"CET-1CEST,M3.5.0,M10.5.0/3", "iFjFnFlG9E", "xv71qyLBggr5CCxm2wnuBDo2cCw+kBDg8cCgsnBDg8cCgojuB"
    "DgmxFCgybDgujBCgkiBDgkiBCABg2oBDg2cCowKEg4PC4vKDgwfCg4kBDgwfCgojBDgghBCg+j/BDgkiBCgujBDg6gBCgk"
    "iBDgkiBCACgkiBDgujBCgkiBDgkiBCAEgkiBDgujBCgkiBDgkiBCAEgujBD"},
    {"CET-1CEST,M3.5.0,M10.5.0/3", "HFGF7EnFlGwF", "t+hr4qNB1h0nmXCgmmwBD4nlDEg2cDw+kBEg8cDgsnBEg8c"
    "DwyKCg3UFg2oBCg+YFgovBCg0aFgmqBCgqcFg4kBCg4kBFgwfCg6gBFgujBCgkiBFgkiBCg4kBFgwfCgujBFg6gBCg4kBF"
    "46gBCg4kBFgwfCgujBFg6gBCg4kBFgwfCgkiBFgkiBCg6gBFg4kBCgkiBFgkiBCg6gBFgujBCg4kBFgwfCgkiBFgkiBCg6"
    "gBFgujBCg4kBFg2oBCgsSFg+PE4/nFDgybEgujBDgkiBEgqfDg+kBEgqfDg+tBEguaDggohCEg6gBDgujBEgkiBDgkiBEg"
    "kiBDgujBEg6gBDgkiBEgkiBDACgkiBEgujBDgkiBEgkiBDAEgkiBEgujBDgkiBEgkiBDAEgujBE"},
    {"EET-2EEST,M3.5.0/3,M10.5.0/4", "SGRGgGcH", "xgiv7gOBgom1CCx1w4xBDgkZCgkiBDgkiBCgujBDgkiBCgkiB"
    "DAEgkiBCgy70CD4zXCgujBDo6gBCwkiBDgkiBCgkiBDACgujBCgkiBDgkiBCAEgkiBDgujBCwjiBDgkiBCgkiBDAC4jiBC"
    "okiBD4jiBCoujBD4rnBCg9cD"}, {"CET-1CEST,M3.5.0,M10.5.0/3", "7FnFlG", "556tk/NBp8iy+vBCo2cBw+kB"
    "Cg8cBgsnBCg8cBgynBCg2cBgimBCgwfBol/rBC4urDBgybCgujBBgkiBCgkiBBo3nBCoqiBBwkcC4zjBBo+hBCgkiBBgki"
    "BCgkiBBgujBCg6gBBwz9JC49YB4qrBCg+YBg+tBCgqWBABwlmwBCg6gBBgkiBCgkiBBACwkiBCgujBBgkiBCgkiBBAEgki"
    "BCgujBBgkiBCgkiBBAEgujBC"}, {"CET-1CEST,M3.5.0,M10.5.0/3", "SFPFnFlG", "honz/4LBtgus8sCC13xto4"
    "CDg8cCgsnBDg8cCoqryCDgkiBCgkiBDACgujBCgkiBDgkiBCAEgkiBDgujBCgkiBDgkiBCAEgujBD"},
    {"EET-2EEST,M3.5.0,M10.5.0/3", "aGZGRGgGcHlGnFYHAI", "xv2q4qNBphrz2nCC5v50oZDx1w4xBEgkZDgkiBEgk"
    "iBDgujBEgkiBDgkiBEAEgkiBDg67BE4/+BFg34CGgybFgujBGgkiBFo5aH41quCI4piBHokiBIAB4piBHoqiBIwkiBHgki"
    "BIgkiBHAEgkiBI47HEwybDgkiBEgkiBDwjiBE4jiBDokiBEAC4jiBDoujBE4rnBD48cE"},
    {"CET-1CEST,M3.5.0,M10.5.0/3", "dFcFnFlG", "p75qy9NBg+xIC5yumiqBD4haCwyxyBDw+oFCgybDgujBCgkiBDg"
    "kiBCgkiBDgqZCgywBDgiXCg+tBDgsSCgmzBDgiRCgo4jCDg6gBCgkiBDgkiBCACgkiBDgujBCgkiBDgkiBCAEgkiBDgujB"
    "CgkiBDgkiBCAEgujBD"}, {"CET-1CEST,M3.5.0,M10.5.0/3", "tE5EtFkGnFlG", "pg3z7rNB55x2qjCCg+YBgujB"
    "CgseBgojBCg0jBBg+hBCgqiBBg+hBCgynBBggeCgqiBBg0gBCg4kBBg4kBCgybBgsnBCgmeBgsnBCgwfBg4kBCgwfBgujB"
    "Cg6gBBgimBCgwfBg4kBCgwfBgujBCg6gBBg4kBCgwfBABgujBCgkiBBg4kBCgwfBgujBCg6gBBg4kBCgwfBABgujBCg6gB"
    "Bg4kBCg2oBBgsSC4rxCDgsSCg0sBDg0XCg0sBDg+YCgqrBDgwfCg+kBDgwTCo4PBgujBCg6gBBgmeC4nFDgqWCo4PBg+YC"
    "gqrBBg8cCgsnBBgwfCgujBBg6gBCgujBBgkiBCgujBBg6gBCgwfBgujBCg6gBBg4kBCgwfBgimBCgwfBgujBE47s1BFgki"
    "BEgkiBFABgujBEgkiBFgkiBEAEgkiBFgujBEgkiBFgkiBEAEgujBF"},
    {"GMT0BST,M3.5.0/1,M10.5.0", "yE5EtFlGnFkGmF", "j+6p2pPB/7tgwFCg+YBgujBCgseBgojBCg0jBBg+hBCgqiB"
    "Bg+hBCgynBBggeCgqiBBg0gBCg4kBBg4kBCgybBgsnBCgmeBgsnBCgwfBg4kBCgwfBgujBCg6gBBgimBCgwfBg4kBCgwfB"
    "gujBCg6gBBg4kBCgwfBABgujBCgkiBBg4kBCgwfBgujBCg6gBBg4kBCgwfBABgujBCg6gBBg4kBCg2oBBgsSCo/XDw+/EE"
    "gybDgujBEgkiBDgkiBEgkiBDo3GF44MCo4PBgujBCg6gBBgmeC4nFFgqWCo4PBg+YCgqrBBg8cCgsnBBgwfCgujBBg6gBC"
    "gujBBgkiBCgujBBg6gBCgwfBgujBCg6gBBg4kBCgwfBgimBCgwfBgujBCg6gBBg4kBCgwfBABgujBCg6gBBg6gBCg2oBBg"
    "ybCg2oBBg8cCgsnBBgybCg2oBBACgybCggqBBggVConvBG4iuGBgoaCggqBBADgybCg2oBBABgybCggqBBgoaCABggqBB4"
    "7cCgsnBBg8cCACg2oBBg8cCgsnBBADg8cCg2oBBgybCg2oBBg8cCgsnBBAEgmeC"},
    {"EET-2EEST,M3.5.0/3,M10.5.0/4", "OGNGgGcH", "3pl44nNBgi77CCrkxrrnBDgwiBCwwryCDgkiBCgkiBDgkiBCo"
    "kiBDgkiBCgkiBDgujBCgkiBDgkiBCAEgkiBDgujBCgkiBDgkiBCAEgujBD"},
    {"GMT0BST,M3.5.0/1,M10.5.0", "vE5EtFkGmF", "nj+u7wNB72q7q+BCg+YBgujBCgseBgojBCg0jBBg+hBCgqiBBg+"
    "hBCgynBBggeCgqiBBg0gBCg4kBBg4kBCgybBgsnBCgmeBgsnBCgwfBg4kBCgwfBgujBCg6gBBgimBCgwfBg4kBCgwfBguj"
    "BCg6gBBg4kBCgwfBABgujBCgkiBBg4kBCgwfBgujBCg6gBBg4kBCgwfBABgujBCg6gBBg4kBCg2oBBgsSC4rxCDgsSCg0s"
    "BDg0XCg0sBDg+YCgqrBDgwfCg+kBDgwTCo4PBgujBCg6gBBgmeC4nFDgqWCo4PBg+YCgqrBBg8cCgsnBBgwfCgujBBg6gB"
    "CgujBBgkiBCgujBBg6gBCgwfBgujBCg6gBBg4kBCgwfBgimBCgwfBgujBCg6gBBg4kBCgwfBABgujBCg6gBBg6gBCg2oBB"
    "gybCg2oBBg8cCgsnBBgybCg2oBBACgybCggqBBggVConvBE4iuGBgoaCggqBBADgybCg2oBBABgybCggqBBgoaCABggqBB"
    "47cCgsnBBg8cCACg2oBBg8cCgsnBBADg8cCg2oBBgybCg2oBBg8cCgsnBBAEgmeC"},
    {"GMT0BST,M3.5.0/1,M10.5.0", "zE5EtFlGnFkGmF", "hwwwutOBwysmBCg+YBgujBCgseBgojBCg0jBBg+hBCgqiBB"
    "g+hBCgynBBggeCgqiBBg0gBCg4kBBg4kBCgybBgsnBCgmeBgsnBCgwfBg4kBCgwfBgujBCg6gBBgimBCgwfBg4kBCgwfBg"
    "ujBCg6gBBg4kBCgwfBABgujBCgkiBBg4kBCgwfBgujBCg6gBBg4kBCgwfBABgujBCg6gBBg4kBCg2oBBgsSCo/XDw+/EEg"
    "ybDgujBEgkiBDgkiBEgkiBDo3GF44MCo4PBgujBCg6gBBgmeC4nFFgqWCo4PBg+YCgqrBBg8cCgsnBBgwfCgujBBg6gBCg"
    "ujBBgkiBCgujBBg6gBCgwfBgujBCg6gBBg4kBCgwfBgimBCgwfBgujBCg6gBBg4kBCgwfBABgujBCg6gBBg6gBCg2oBBgy"
    "bCg2oBBg8cCgsnBBgybCg2oBBACgybCggqBBggVConvBG4iuGBgoaCggqBBADgybCg2oBBABgybCggqBBgoaCABggqBB47"
    "cCgsnBBg8cCACg2oBBg8cCgsnBBADg8cCg2oBBgybCg2oBBg8cCgsnBBAEgmeC"},
    {"EET-2", "/FnFlGgGcHYHAIWH", "x0/41jOBxh+mtrBCo2cBw+kBCg8cBgsnBCg8cBgojuBCgmxFBgybCgujBBgkiBCg"
    "kiBBgkiBCovBDgyDE47iBDoudF477qCG4piBFokiBGAB4piBFoqiBGwkiBFgkiBGgkiBFADgkiBEokiBDgkiBEgujBDgki"
    "BEgkiBDAEgujBEgsnBDg8cEACg2oBDgybEABg2oBDg8cEgsnBDABg8cEg2oBDgybEACg2oBDg8cEgsnBDABg8cEg2oBDgy"
    "bH4t1HD"}, {"EET-2EEST,M3.5.0/3,M10.5.0/4", "sGrGgGYHlGnFAIcH", "p21q4qNBgg8+CC5/4pxLD4tiYEgxs"
    "CFgybEgujBFwlGDwthwCG4piBDokiBGAB4piBDoqiBGwkiBDgkiBGgkiBDAEgkiBG4rSHwq1CCgkiBHgkiBCADgujBHosn"
    "BC"}, {"MSK-3", "nHWH7HTIAIYH8H", "h4uwh1PBovvXC4x1sDD4piBCokiBDAB4piBCoqiBDwkiBCgkiBDgkiBCADg"
    "kiBEokiBFgkiBEgujBFgkiBC4nkCEokiBFgkiBEgkiBFACgujBEgsnBFg8cEACg2oBFgybEABg2oBFg8cEgsnBFABg8cEg"
    "2oBFgybEACg2oBFg8cEgsnBFABg8cEg2oBFgybG4t1HF"},
    {"WET0WEST,M3.5.0/1,M10.5.0", "lE7EwFoGnFlG", "ho5p+mPB4zxJCowZBgwWC43qBBo2ZCAB43qBBo8ZC43qBBo2"
    "ZC43qBBgyrFCgigBBggpDCgwfBgujBCg6gBBg4kBCABgwfBggpDCgwfBgkiBCgkiBBg2nDCgkiBBg6gBCgujBBg4kBCgwf"
    "BgkiBCgkiBBg6gBCgujBBg4kBCg2oBBgsSCgsqBBg4hBCgqiBBggeC47HDggVCokNBgoaC4xGDg+YCo6LBg+YC47HDg0XC"
    "o6LBg+YC47HDg0XCo6LBgmeCgkiBB4kiBCgkiBBgkiBCADgujBBgkiBCgkiBBADgkiBCgujBBgkiBCgkiBBAEgkiBCgujB"
    "BgkiBCgkiBBACgkiBCgkiBEw5rVBgkiBCgkiBBoujBCgkiBBgkiBCgkiBBgujBCg6gBB4jiBCgkiBBgkiBCACgujBBgkiB"
    "CgkiBBokiBCgkiBBgkiBCADgujBBgkiBCgkiBBgkiBCgkiBEgkiBFACgkiBEgujBCgsnBB"},
    {"CET-1CEST,M3.5.0,M10.5.0/3", "kFnFlG", "p+sjpyNB5//04rDC4spDBgybCgujBBgkiBCgkiBBgkiBCgqfBg8pw"
    "CCgkiBBgkiBCgujBBgkiBCgkiBBAEgkiBCgujBBgkiBCgkiBBAEgujBC"},
    {"CET-1CEST,M3.5.0,M10.5.0/3", "MFnFlG7EwFpGrF", "57o614OBpqvvvWCoiaB4rnBCouaBwsnBCg8cBwjNDgmSE"
    "42oBDo9YEwovBDwzaEwmqBDwpcEo4kBD43kBEwwfDw5gBEoujBD4piBEo+hBD43kBEowfD4tjBEo6gBD43kBEAB4wfDguj"
    "BEg6gBDg4kBEgwfDgkiBEgkiBDg6gBEg4kBDgkiBEgkiBDg6gBEgujBDg4kBEgwfDgkiBEgkiBDg6gBEgujBDg4kBEg2oB"
    "DgsSEg6OF4jpFGgybFgujBGgkiBFgwfBg4kBCgqfBg+tBCguaBggohCCg6gBBgujBCgkiBBgkiBCgkiBBgujBCg6gBBgki"
    "BCgkiBBACgkiBCgujBBgkiBCgkiBBAEgkiBCgujBBgkiBCgkiBBAEgujBC"},
    {"CET-1CEST,M3.5.0,M10.5.0/3", "xE7EwFoGnFlG", "hwsqoyOB47/kBCo0gBB4jiBCoqiBB4j2JCoigBB4/oDCowf"
    "B4tjBCo6gBBg4kBCg6gBB43kBCowfB4hvQCooUB4jiBC4nFDgidCwslCB4leE41xEFo2WE49qBFowfE43kBFACowfE4lxF"
    "Fo8cE4/v0BFo6gBE4tjBFo6gBE45gBFokiBE4tjBFo6gBEwujBFgkiBEgkiBFgkiBEgujBFg6gBEgkiBFgkiBEACgkiBFg"
    "ujBEgkiBFgkiBEAEgkiBFgujBEgkiBFgkiBEAEgujBF"}, {"CET-1CEST,M3.5.0,M10.5.0/3", "kFnFlG", "p27m5"
    "kOB5wysvqBC4pWBokiBC4piBBogeC4xnBBosbC41oBBowfC4jiBBo2nqBCwkjFBgybCgujBBg+hBCgwfBg+kBCwjfBwqiB"
    "CgimBBwleCgimBBwybCg2oBBwv3lBC4zXBo+tBCgqWBg+tBCgqWBgovBCgqWBg+tBCgqWBg0sBCg0XBg+tBCg0XBg+hBCg"
    "kiBBgomBCg4bBwwoBC47cBosnBCAD47cBo+kBC4zgBBoujBCgkiBBgkiBCACgujBBgkiBCgkiBBAEgkiBCgujBBgkiBCgk"
    "iBBAEgujBC"}, {"<+03>-3", "WGVGgGYHlGnFAIcHWH", "xi3q4qNBhhwrszCCxy3pxLD41yXEgp8CFgybEgujBFgki"
    "BEohRD4t0uCG4piBDokiBGAB4piBDoqiBGwkiBDgkiBGgkiBDAEg2nDHokiBCgkiBHgkiBCADgujBHgsnBCg8cHACg2oBC"
    "gybHABg2oBCg8cHgsnBCABg8cHg2oBCgybHACg2oBCg8cHgsnBCABg8cHg2oBCgybI"},
    {"CET-1CEST,M3.5.0,M10.5.0/3", "OFCF7EwFoGnFlG", "p5h2jiOB3715sjBCj6295JDguUCg0gBDg+kBCg2cDgynB"
    "CgsbDg8oBCg4YDgovBCg0aDgmqBCgqcDg4kBCgqrBDg+YCg6gBDgujBCgkiBDgkiBCg4kBDgwfCgujBDg6gBCg4kBDABgw"
    "fCgujBDg6gBCg4kBDgwfCgkiBDgkiBCg6gBDg4kBCgkiBDgkiBCg6gBDgujBCg4kBDgwfCgkiBDgkiBCg6gBDgujBCg4kB"
    "Dg2oBC4sSDoxxCE47cDo8cEw0sBDgybEgujBDgkiBEwnjBDwghBEgqfF45qhCG4jiBFwujBGg6gBFgujBGgkiBFgkiBGgk"
    "iBFgujBGg6gBFgkiBGgkiBFACgkiBGgujBFgkiBGgkiBFAEgkiBGgujBFgkiBGgkiBFAEgujBG"},
    {"MSK-3", "EHFHGHyHIIAIYHTIgGcH8H", "vsyq4qNBg4juCCl7p/7BDgyhBC4hdEoiUD4rwBEvpm/EFgzIGg+mDF4rGH"
    "g4eFo0FGoukCIo4wQG4x1sDF4piBGokiBFAB4piBGoqiBFwkiBGgkiBFgkiBGAEgkiBFgujBGgkiBJokiBIggVG4jNFgki"
    "BGgkiBFACgkiBGgujBFgsnBGg8cFACg2oBGgybFABg2oBGg8cFgsnBGABg8cFg2oBGgybFACg2oBGg8cFgsnBGABg8cFg2"
    "oBGgybK4t1HG"}, {"CET-1CEST,M3.5.0,M10.5.0/3", "ZFnFlG", "5mko/mOBpp/mnoBCwxYBgoizBC4u4EBgybCg"
    "ujBBgkiBCgkiBBABgm5cCgujBBgkiBCgkiBBADgkiBCgujBBg2oBCgybBgmkfCg6gBBgkiBCgkiBBACgkiBCgujBBgkiBC"
    "gkiBBAEgkiBCgujBBgkiBCgkiBBAEgujBC"}, {"CET-1CEST,M3.5.0,M10.5.0/3", "BFCF7EwFlGnFoG", "/8/16/"
    "NBgy4qBCjq088JDguUCg0gBDg+kBCg2cDgynBCgsbDg8oBCg4YDgovBCg0aDgmqBCgqcDg4kBCgqrBDg+YCg6gBDgujBCg"
    "kiBDgkiBCg4kBDgwfCgujBDg6gBCg4kBDABgwfCgujBDg6gBCg4kBDgwfCgkiBDgkiBCg6gBDg4kBCgkiBDgkiBCg6gBDg"
    "ujBCg4kBDgwfCgkiBDgkiBCg6gBDgujBCg4kBDg2oBC4sSDg5UE4kjFFgybEgujBFgkiBEo/aGooIDwghBGgqfF45qhCE4"
    "jiBFwujBEg6gBFgujBEgkiBFgkiBEgkiBFgujBEg6gBFgkiBEgkiBFACgkiBEgujBFgkiBEgkiBFAEgkiBEgujBFgkiBEg"
    "kiBFAEgujBE"}, {"EET-2EEST,M3.5.0/3,M10.5.0/4", "JGKGLHgGYHlGnFAIcH", "914q4qNBw69xCCg8cBg+kBC"
    "gyJBwr9ODlo594aE479BFg37CGgybFgujBGgkiBFgkiBGwhCEwphuCH4piBEokiBHAB4piBEoqiBHwkiBEgkiBHgkiBEAD"
    "gkiBIokiBDgkiBIgujBDgkiBIgkiBDAEgujBIgkiBDokiBIgsnBDg8cIABg2oBDg6/CIg2oBD"},
    {"CET-1CEST,M3.5.0,M10.5.0/3", "aFbFnFlG", "5kmzmyMBpysuyyBCg8qwBD4pWCokiBD4piBCogeD4xnBCosbD41"
    "oBCowfD4jiBCo2nqBDwkjFCgybDgujBCgkiBDgqfCg+kBDwjfCwqiBDgimBCwleDgimBCwybDg2oBCwv3lBD4zXCo+tBDg"
    "qWCg+tBDgqWCgovBDgqWCg+tBDgqWCg0sBDg0XCg+tBDABgqWCg0sBDg0XCg+tBDgqWCABg0sBDg0XCg+tBDg0XCg0sBDg"
    "0XCwujBDg6gBCgkiBDgkiBCACgkiBDgujBCgkiBDgkiBCAEgkiBDgujBCgkiBDgkiBCAEgujBD"},
    {"<+04>-4", "pHWH7HTI9HZH", "h4uwh1PBovvXC4x1sDD4piBCokiBDAB4piBCoqiBDwkiBCgkiBDgkiBCADgkiBEoki"
    "BBgkiBEgujBBgkiBFokiBBg+DCwleDgkiBCgkiBDACgkiBCgujBDgsnBCg8cDACg2oBCgybDABg2oBCg8cDgsnBCABg8cD"
    "g2oBCgybDACg2oBCg8cDgsnBCABg8cEo2oBBgybC"}, {"CET-1CEST,M3.5.0,M10.5.0/3", "5FnFlG", "5jrjpyNB"
    "p6h14rDC4spDBgybCgujBBgkiBCgkiBBgkiBCgqfBg8pwCCgkiBBgkiBCgujBBgkiBCgkiBBAEgkiBCgujBBgkiBCgkiBB"
    "AEgujBC"}, {"<+04>-4", "hHWH7HTI9H", "h4uwh1PBovvXC4x1sDD4piBCokiBDAB4piBCoqiBDwkiBCgkiBDgkiBC"
    "ACgkiBEokiBBgkiBEgkiBBgkiBEgujBBgkiBC4nkCEokiBBgkiBEgkiBBACgujBEgsnBBg8cEACg2oBBgybEABg2oBBg8c"
    "EgsnBBABg8cEg2oBBgybEACg2oBBg8cEgsnBBABg8cEg2oBBgybC4t1HBoswEC"},
    {"MSK-3", "3G2GgGYHlGnFAIcH8H", "xg0q4qNBxhwrszCCh06pxLD4pqYEg1kCFgybEgujBFgkiBEo7BD4zjvCG4piBD"
    "okiBGAB4piBDoqiBGwkiBDgkiBGgkiBDAEgw0BCou3DHgkiBCgkiBHABoxGGwybDgkiBGgkiBDwtjBG4snBDo8cHgsnBCg"
    "8cHABg2oBCgybHABg2oBCg8cHgsnBCABg8cHg2oBCgybHACg2oBCg8cHgsnBCABg8cHg2oBCgybHABg2oBCg8cHgsnBC47"
    "cIwrnBD"}, {"CET-1CEST,M3.5.0,M10.5.0/3", "CGnFlG", "x2pjpyNBxnj14rDC4spDBgybCgujBBgkiBCgkiBBg"
    "kiBCgqfBg8pwCCgkiBBgkiBCgujBBgkiBCgkiBBAEgkiBCgujBBgkiBCgkiBBAEgujBC"},
    {"EET-2EEST,M3.5.0/3,M10.5.0/4", "FGcGgGnFlGcH", "pi5q4qNBpvq0hcCx/ztk6CDgybEgujBDgkiBEgkiBDoki"
    "BC4k4oCFoqiBC4njBFoghBC4njBFw6gBCwtjBF46gBCgkiBFgkiBCgkiBFgujBCgkiBFgkiBCAEgkiBFgujBCwjiBF4jiB"
    "CokiBFAD4jiBCoujBF4rnBCg9cF"}, {"CET-1CEST,M3.5.0,M10.5.0/3", "4FyFnFlG", "p5hm8oNB98p/vnBC9vs"
    "k5eDoiaCw09nEDg6gBCgkiBDgkiBCACgkiBDgujBCgkiBDgkiBCAEgkiBDgujBCgkiBDgkiBCAEgujBD"},
    {"EET-2EEST,M3.5.0/3,M10.5.0/4", "LGMGnFlGgGYHAIcH", "5s4q4qNBgkwxCCpsxhMDg8cCw/1BB59htuDEppj1n"
    "kBF49rCDgvtCCgybDgujBCgkiBDongBF4nluCG4piBFokiBGAB4piBFoqiBGwkiBFgkiBGgkiBFADgkiBHokiBEgkiBHgu"
    "jBEgkiBHgkiBEAEgujBHgsnBEg8cHABosnBEg8cHg2oBEgslFHgsnBE"},
    {"CET-1CEST,M3.5.0,M10.5.0/3", "8FnFlG", "xms42qPBxwpt4xBCw+iFBgybCgoCBwxviCC4pcBoynBC47cBo+nBC"
    "47cBo2oBC4xbBowoBC43bBABowoBC47cBoomBC47cBo2oBC47cBo+kBC4jfBoqiBCwkiBBgkiBCgkiBBAEgkiBCgujBBgk"
    "iBCgkiBBAEgujBC"}, {"<+04>-4", "mHWH7HTI9HZHeG", "h4uwh1PBovvXC4x1sDD4piBCokiBDAB4piBCoqiBDwki"
    "BCgkiBDgkiBCADgkiBEokiBBgkiBEgujBBgkiBFokiBGggVB4jNEgkiBBgkiBEACgkiBBgujBEgsnBBg8cEACg2oBBgybE"
    "ABg2oBBg8cEgsnBBABg8cEg2oBBgybEACg2oBBg8cEgsnBBABg8cEg2oBBgybC4t1HBokhDC"},
    {"CET-1CEST,M3.5.0,M10.5.0/3", "WFnFlG", "pp0/7lOB52yto4CCg8cBgsnBCg8cBoqryCCgkiBBgkiBCACgujBBg"
    "kiBCgkiBBAEgkiBCgujBBgkiBCgkiBBAEgujBC"}, {"CET-1CEST,M3.5.0,M10.5.0/3", "2FnFlG", "/yh51jOBjj"
    "8mtrBCo2cBw+kBCg8cBgsnBCg8cBgqqDCgmeBg46pBCgmxFBgybCgujBBgkiBCgkiBBgkiBCg8BBg6kCCgghBBg+hBCgki"
    "BBg4kBCgwfBw3tjCC45gBB4kiBCgkiBBgkiBCACgujBBgkiBCgkiBBAEgkiBCgujBBgkiBCgkiBBAEgujBC"},
    {"EET-2EEST,M3.5.0/3,M10.5.0/4", "PGBGIGnFgGYHlGAIcH", "pk4q4qNB5wphzlCCx014mFDxlzvtBE41QDoktqB"
    "Fw98BGgh9CDgybGgujBDgkiBGovWF4/uuCH4piBFokiBHAB4piBFoqiBHwkiBFgkiBHgkiBFADgkiBIokiBEgkiBIgujBE"
    "gkiBIgkiBEAEgujBIgsnBEg8cIgsnBEo8cGgsnBDg8cGg2oBEg0pHIgsnBE"}, {"MSK-3", "RHWH7HTIAIYH8H", "5t"
    "1kg2PBpni71TC4x1sDD4piBCokiBDAB4piBCoqiBDwkiBCgkiBDgkiBCACgkiBEokiBFgkiBEgkiBFgkiBEgujBFgkiBC4"
    "nkCEokiBFgkiBEgkiBFACgujBEgsnBFg8cEACg2oBFgybEABg2oBFg8cEgsnBFABg8cEg2oBFgybEACg2oBFg8cEgsnBFA"
    "Bg8cEg2oBFgybG4t1HFoqyIC4p0EF"}, {"CET-1CEST,M3.5.0,M10.5.0/3", "AGBGnFlGgGcH", "hl6q4qNBgqlsC"
    "Chp2vsBDo2cCw+kBDg8cCgsnBDg8cE4xnBFg8cEwt5FC4+0mBDg0hFCgybDgujBCgkiBD4viBC45mBD47iBCo4eDwghBCg"
    "mnBDg8cCg4kBDgwfCgujBDg6gBC4/sQDgqWCgkiBDgkiBCg+tBDg0XCgkiBDgkiBCg0sBDg0XCACg+tBDgqWCgi5aDg6gB"
    "CgujBDgkiBCgkiBDgkiBCgujBDg6gBCgkiBDgkiBCACgkiBDgujBCgkiBDgkiBCACokiBDgkiBCgkiBDABgujBCgkiBDgk"
    "iBCAEgujBD"}, {"CET-1CEST,M3.5.0,M10.5.0/3", "1FnFlG", "xosjpyNBx1g14rDC4spDBgybCgujBBgkiBCgki"
    "BBgkiBCgqfBg8pwCCgkiBBgkiBCgujBBgkiBCgkiBBAEgkiBCgujBBgkiBCgkiBBAEgujBC"}, {"HST10", "eA", ""},
    {"EAT-3", "jHXH+H", "p/4+/lPB5s5/nwCCgiRB"}, {"<+06>-6", "MIRIkI", "55trx9OBphz/snFC"},
    {"<+07>-7", "7I4I", "p+mqknOB"}, {"<+0630>-6:30", "sItI", "pqlkswOB"},
    {"EAT-3", "PHXH", "h/6+/lPB"}, {"<+05>-5", "4ERI", "hoj1tuRB"}, {"<+04>-4", "0H7H", "p41rx9OB"},
    {"<+05>-5", "OIPIRI", "xxhq4qNBgymrFC"},
    {"<+04>-4", "4H7HTI", "x50rx9OBx6z7wuEC4reB4q52BC47cB"}, {"EAT-3", "fHXH", "xh6+/lPB"},
    {"<+04>-4", "1H7H", "h4ug7lPB"},
    {"<+12>-12", "bKUKAKkJHAoK", "hi+noyOBh7u82jCCo6iJDomjGBw182BE4jkzBF"},
    {"MET-1MEST,M3.5.0,M10.5.0/3", "pFmG", "h29/ivPBo2cAw+kBBg8cAgsnBBg8cAgojuBBgmxFAgybBgujBAgkiBB"
    "gkiBAgkiBBgqfAgswjCBg6gBAgujBBgkiBAgkiBBgkiBAgujBBg6gBAgkiBBgkiBAACgkiBBgujBAgkiBBgkiBAAEgkiBB"
    "gujBAgkiBBgkiBAAEgujBB"}, {"MST7", "TB", ""}, {"MST7MDT,M3.2.0,M11.1.0", "TBnBpBoB", "hpvo2yPB"
    "4rnBAo8cB4rnBAo02vBCwvwHDo2IAo8luBB4jiBAokiBBAD4tjBAokiBB4jiBAABokNB4j3BAoqWB49tBAokiBB4tjBAo6"
    "gBB4tjBAokiBB4jiBAADokiBB4tjBAo6gBB4tjBAokiBB4jiBAAComeB4hmBAomeB4rnBAo8cBAB4rnBAomeB4hmBAABom"
    "eB4rnBAo8cBAB4rnBAomeB4hmBAAComeB4rnBAo8cBAB4rnBAomeB4hmBAABomeB4rnBAo8cBAB4rnBAo+YB"},
    {"<+1245>-12:45<+1345>,M9.5.0/2:45,M4.1.0/3:45", "tKuK2K8K", "po0s41MBxjptkxECy+29BDggVCg+tBDg+"
    "YCg0sBDg0XCAEg0sBDg+YCg0sBDg0XCAEg0sBDg+YCg0sBDg0XCg2oBDgmeCgimBDACgwfCg4kBDACgwfCgimBDgmeCABg"
    "imBDgwfCg4kBDABgwfCgimBDgmeCABgimBDgwfCg4kBDAD"}, {"PST8PDT,M3.2.0,M11.1.0", "/AUBWBVB", "hq2o"
    "2yPB4rnBAo8cB4rnBAo02vBCovwHDw2IAo8luBB4jiBAokiBBAD4tjBAokiBB4jiBAABokNB4j3BAoqWB49tBAokiBB4tj"
    "BAo6gBB4tjBAokiBB4jiBAADokiBB4tjBAo6gBB4tjBAokiBB4jiBAAComeB4hmBAomeB4rnBAo8cBAB4rnBAomeB4hmBA"
    "ABomeB4rnBAo8cBAB4rnBAomeB4hmBAAComeB4rnBAo8cBAB4rnBAomeB4hmBAABomeB4rnBAo8cBAB4rnBAo+YB"},
    {"<+13>-13", "0KLAKARAfA+K4K", "hw2mpiOBgsynBCxjkwrpCD8p/hEE4ojBDg6gBEglSFgpRGgkiBFgujBGg6gBFAE"
    "gujBGgkiBFgujBGg6gBFABgujBG"},
    {"<+11>-11", "MK8JAKkJUK", "xi7o4qNBxmp9mcCh9o2q5CDoi3GCoyt0EE"},
    {"<+10>-10", "EAJKAKkJ", "pzx29oLBg+63DC5y+t7ZDogpJC45tvBDo6oJC"}, {"<+11>-11", "eKUKqK", "przm"
    "gnPB5orvw0DCgsSBo2pUC4jiBBokiBC4jiBBoujBC45gBBoujBC4jiBBokiBCAD4jiBBoujBC4pWBomzBC4hRB"},
    {"<+13>-13", "4EHARA4K", "h4/in3QBgli6CC4r0gBD"}, {"<+13>-13", "MARA4K", "x48soyOBxii54wGC"},
    {"<+12>-12", "mKoK5K", "h8q+juPBhiz9k8ECgqWBgovBCggVBgi8UCgqWBgsnBCg+YBgqrBCgiRBgmzBCgiRBgw0BC4"
    "3PBo61BCguOBg61BCguOBgk3BCgkNBACgu4BCg6LBgqgCCgoFB"}, {"<+12>-12", "nKoK", "5v4noyOB"},
    {"<-06>6", "rBPCkBSC", "ho4g2qQBh97xunDCoi5OD49MC"}, {"<-09>9", "2AvA", "pg2wroPB"},
    {"<+11>-11", "SKUK", "54rsroPB"}, {"ChST-10", "CA4JDKkJXKCK", "58029oLBg+63DCpp0lgtCDo40FCo48fE"
    "4jtDCokjOE54zw0CCpn7nYE4jNCo0sBE49YCoqrBE49YCom8EE4jNCok6EE5i7vOCp1msoBE4zXC4j9xBF"},
    {"HST10", "XAZAnApAoAeA", "9rqx9oOB1opzkmCCogEB4p1SD0uwHEk3IBowzDF"},
    {"<+14>-14", "aAVAbA9K", "ho2soyOBh406j0ECh6881cD"},
    {"<+11>-11", "GATKUKkJAKoK", "prs29oLBg+63DC558t7ZDwgpJCw/qmBEo6iJDo6oJCwh3zBF4nz+BC"},
    {"<+12>-12", "fKUKkJAKoK", "ho8noyOBh1gu7ZCwgpJBw/qmBDo6iJCo8hGBw/92BE"},
    {"<-0930>9:30", "rAlA", "xk4wroPB"}, {"SST11", "IARAfAUA", "x0/soyOBx234noDC4hRD"},
    {"<+12>-12", "aKgKkJoK", "pwns+3PBps/m1oBC0svGB8/wnCD"},
    {"<-11>11", "PAOARA", "5kn11zRBphn1gWC"}, {"<+11>-11<+12>,M10.1.0,M4.1.0/3", "cKdKgKyKUKqK", "x"
    "49noyOBxvwvh+CCx+o35sBDg0XCg872CEkqyIFgkiBE"},
    {"<+11>-11", "YKUKqK", "pn0mgnPB596j+7DC49PBoq0BC4jQB4qgmBCgiRB"},
    {"SST11", "1KNAUA", "xg2mpiOBgsynBC"}, {"<+09>-9", "BAjJkJ", "52529oLBg+63DC"},
    {"<-08>8", "5A6A+A", "pvpsoyOBpxp0h3FC"},
    {"<+11>-11", "FAPKUKkJAK", "5yu29oLBg+63DCpy6t7ZDwgpJCw/qmBEo6iJDo6oJC"},
    {"<+10>-10", "9J8JAK", "xg/o4qNBxol9mcC"}, {"<-10>10", "7KWAYAmAbA", "xsgjrwOBgwgxDChm9qhxBD4/U"
    "Ek0sBD8zXEABk0sBD89YEk0sBD8zXEAEk0sBD89YEk0sBD8zXEAC"}, {"ChST-10", "DA6JkJDKXKCK", "5t029oLBg"
    "+63DCpput7xCDo8ggBE4jtDDokjOE54zw0CDpn7nYE4jNDo0sBE49YDoqrBE49YDom8EE4jNDok6EE5i7vODp1msoBE4zX"
    "D4j9xBF"}, {"<-10>10", "kAbA", "x78wroPB"}, {"<+12>-12", "jKoK", "5s7noyOB"},
    {"<+13>-13", "wKxK4K+K", "hkgmqmRBh9hx5cCh8zl9oCDg4eCgqrBD43PCow0BD43PCo+zfDgkNC"},
    {"<+12>-12", "ZKoK", "5s+noyOB"}, {"<+12>-12", "vKoK", "xq2noyOB"},
    {"WET0WEST,M3.5.0/1,M10.5.0", "7EwF", "h5jh2hTBg6gBAgujBBgkiBAgkiBBgkiBAgujBBg6gBAgkiBBgkiBAACg"
    "kiBBgujBAgkiBBgkiBAAEgkiBBgujBAgkiBBgkiBAAEgujBB"},
};

const struct zone_name zonedata_names[] = {
    {"Africa/Abidjan", 0}, {"Africa/Accra", 1}, {"Africa/Addis_Ababa", 2}, {"Africa/Algiers", 3},
    {"Africa/Asmara", 4}, {"Africa/Asmera", 5}, {"Africa/Bamako", 6}, {"Africa/Bangui", 7},
    {"Africa/Banjul", 8}, {"Africa/Bissau", 9}, {"Africa/Blantyre", 10}, {"Africa/Brazzaville", 11},
    {"Africa/Bujumbura", 12}, {"Africa/Cairo", 13}, {"Africa/Casablanca", 14}, {"Africa/Ceuta", 15},
    {"Africa/Conakry", 16}, {"Africa/Dakar", 17}, {"Africa/Dar_es_Salaam", 18},
    {"Africa/Djibouti", 19}, {"Africa/Douala", 20}, {"Africa/El_Aaiun", 21},
    {"Africa/Freetown", 22}, {"Africa/Gaborone", 23}, {"Africa/Harare", 24},
    {"Africa/Johannesburg", 25}, {"Africa/Juba", 26}, {"Africa/Kampala", 27},
    {"Africa/Khartoum", 28}, {"Africa/Kigali", 29}, {"Africa/Kinshasa", 30}, {"Africa/Lagos", 31},
    {"Africa/Libreville", 32}, {"Africa/Lome", 33}, {"Africa/Luanda", 34},
    {"Africa/Lubumbashi", 35}, {"Africa/Lusaka", 36}, {"Africa/Malabo", 37}, {"Africa/Maputo", 38},
    {"Africa/Maseru", 39}, {"Africa/Mbabane", 40}, {"Africa/Mogadishu", 41},
    {"Africa/Monrovia", 42}, {"Africa/Nairobi", 5}, {"Africa/Ndjamena", 43}, {"Africa/Niamey", 44},
    {"Africa/Nouakchott", 45}, {"Africa/Ouagadougou", 46}, {"Africa/Porto-Novo", 47},
    {"Africa/Sao_Tome", 48}, {"Africa/Timbuktu", 0}, {"Africa/Tripoli", 49}, {"Africa/Tunis", 50},
    {"Africa/Windhoek", 51}, {"America/Adak", 52}, {"America/Anchorage", 53},
    {"America/Anguilla", 54}, {"America/Antigua", 55}, {"America/Araguaina", 56},
    {"America/Argentina/Buenos_Aires", 57}, {"America/Argentina/Catamarca", 58},
    {"America/Argentina/ComodRivadavia", 58}, {"America/Argentina/Cordoba", 59},
    {"America/Argentina/Jujuy", 60}, {"America/Argentina/La_Rioja", 61},
    {"America/Argentina/Mendoza", 62}, {"America/Argentina/Rio_Gallegos", 63},
    {"America/Argentina/Salta", 64}, {"America/Argentina/San_Juan", 65},
    {"America/Argentina/San_Luis", 66}, {"America/Argentina/Tucuman", 67},
    {"America/Argentina/Ushuaia", 68}, {"America/Aruba", 69}, {"America/Asuncion", 70},
    {"America/Atikokan", 71}, {"America/Atka", 52}, {"America/Bahia", 72},
    {"America/Bahia_Banderas", 73}, {"America/Barbados", 74}, {"America/Belem", 75},
    {"America/Belize", 76}, {"America/Blanc-Sablon", 77}, {"America/Boa_Vista", 78},
    {"America/Bogota", 79}, {"America/Boise", 80}, {"America/Buenos_Aires", 57},
    {"America/Cambridge_Bay", 81}, {"America/Campo_Grande", 82}, {"America/Cancun", 83},
    {"America/Caracas", 84}, {"America/Catamarca", 58}, {"America/Cayenne", 85},
    {"America/Cayman", 86}, {"America/Chicago", 87}, {"America/Chihuahua", 88},
    {"America/Ciudad_Juarez", 89}, {"America/Coral_Harbour", 90}, {"America/Cordoba", 59},
    {"America/Costa_Rica", 91}, {"America/Coyhaique", 92}, {"America/Creston", 93},
    {"America/Cuiaba", 94}, {"America/Curacao", 95}, {"America/Danmarkshavn", 96},
    {"America/Dawson", 97}, {"America/Dawson_Creek", 98}, {"America/Denver", 99},
    {"America/Detroit", 100}, {"America/Dominica", 101}, {"America/Edmonton", 102},
    {"America/Eirunepe", 103}, {"America/El_Salvador", 104}, {"America/Ensenada", 105},
    {"America/Fort_Nelson", 106}, {"America/Fort_Wayne", 107}, {"America/Fortaleza", 108},
    {"America/Glace_Bay", 109}, {"America/Godthab", 110}, {"America/Goose_Bay", 111},
    {"America/Grand_Turk", 112}, {"America/Grenada", 113}, {"America/Guadeloupe", 114},
    {"America/Guatemala", 115}, {"America/Guayaquil", 116}, {"America/Guyana", 117},
    {"America/Halifax", 118}, {"America/Havana", 119}, {"America/Hermosillo", 120},
    {"America/Indiana/Indianapolis", 107}, {"America/Indiana/Knox", 121},
    {"America/Indiana/Marengo", 122}, {"America/Indiana/Petersburg", 123},
    {"America/Indiana/Tell_City", 124}, {"America/Indiana/Vevay", 125},
    {"America/Indiana/Vincennes", 126}, {"America/Indiana/Winamac", 127},
    {"America/Indianapolis", 107}, {"America/Inuvik", 128}, {"America/Iqaluit", 129},
    {"America/Jamaica", 130}, {"America/Jujuy", 60}, {"America/Juneau", 131},
    {"America/Kentucky/Louisville", 132}, {"America/Kentucky/Monticello", 133},
    {"America/Knox_IN", 121}, {"America/Kralendijk", 134}, {"America/La_Paz", 135},
    {"America/Lima", 136}, {"America/Los_Angeles", 137}, {"America/Louisville", 132},
    {"America/Lower_Princes", 134}, {"America/Maceio", 138}, {"America/Managua", 139},
    {"America/Manaus", 140}, {"America/Marigot", 134}, {"America/Martinique", 141},
    {"America/Matamoros", 142}, {"America/Mazatlan", 143}, {"America/Mendoza", 62},
    {"America/Menominee", 144}, {"America/Merida", 145}, {"America/Metlakatla", 146},
    {"America/Mexico_City", 147}, {"America/Miquelon", 148}, {"America/Moncton", 149},
    {"America/Monterrey", 150}, {"America/Montevideo", 151}, {"America/Montreal", 152},
    {"America/Montserrat", 153}, {"America/Nassau", 154}, {"America/New_York", 155},
    {"America/Nipigon", 152}, {"America/Nome", 156}, {"America/Noronha", 157},
    {"America/North_Dakota/Beulah", 158}, {"America/North_Dakota/Center", 159},
    {"America/North_Dakota/New_Salem", 160}, {"America/Nuuk", 110}, {"America/Ojinaga", 161},
    {"America/Panama", 90}, {"America/Pangnirtung", 129}, {"America/Paramaribo", 162},
    {"America/Phoenix", 163}, {"America/Port-au-Prince", 164}, {"America/Port_of_Spain", 165},
    {"America/Porto_Acre", 166}, {"America/Porto_Velho", 167}, {"America/Puerto_Rico", 134},
    {"America/Punta_Arenas", 168}, {"America/Rainy_River", 169}, {"America/Rankin_Inlet", 170},
    {"America/Recife", 171}, {"America/Regina", 172}, {"America/Resolute", 173},
    {"America/Rio_Branco", 166}, {"America/Rosario", 59}, {"America/Santa_Isabel", 105},
    {"America/Santarem", 174}, {"America/Santiago", 175}, {"America/Santo_Domingo", 176},
    {"America/Sao_Paulo", 177}, {"America/Scoresbysund", 178}, {"America/Shiprock", 99},
    {"America/Sitka", 179}, {"America/St_Barthelemy", 134}, {"America/St_Johns", 180},
    {"America/St_Kitts", 181}, {"America/St_Lucia", 182}, {"America/St_Thomas", 183},
    {"America/St_Vincent", 184}, {"America/Swift_Current", 185}, {"America/Tegucigalpa", 186},
    {"America/Thule", 187}, {"America/Thunder_Bay", 152}, {"America/Tijuana", 105},
    {"America/Toronto", 152}, {"America/Tortola", 188}, {"America/Vancouver", 189},
    {"America/Virgin", 134}, {"America/Whitehorse", 190}, {"America/Winnipeg", 169},
    {"America/Yakutat", 191}, {"America/Yellowknife", 102}, {"Antarctica/Casey", 192},
    {"Antarctica/Davis", 193}, {"Antarctica/DumontDUrville", 194}, {"Antarctica/Macquarie", 195},
    {"Antarctica/Mawson", 196}, {"Antarctica/McMurdo", 197}, {"Antarctica/Palmer", 198},
    {"Antarctica/Rothera", 199}, {"Antarctica/South_Pole", 200}, {"Antarctica/Syowa", 201},
    {"Antarctica/Troll", 202}, {"Antarctica/Vostok", 203}, {"Arctic/Longyearbyen", 204},
    {"Asia/Aden", 205}, {"Asia/Almaty", 206}, {"Asia/Amman", 207}, {"Asia/Anadyr", 208},
    {"Asia/Aqtau", 209}, {"Asia/Aqtobe", 210}, {"Asia/Ashgabat", 211}, {"Asia/Ashkhabad", 211},
    {"Asia/Atyrau", 212}, {"Asia/Baghdad", 213}, {"Asia/Bahrain", 214}, {"Asia/Baku", 215},
    {"Asia/Bangkok", 216}, {"Asia/Barnaul", 217}, {"Asia/Beirut", 218}, {"Asia/Bishkek", 219},
    {"Asia/Brunei", 220}, {"Asia/Calcutta", 221}, {"Asia/Chita", 222}, {"Asia/Choibalsan", 223},
    {"Asia/Chongqing", 224}, {"Asia/Chungking", 224}, {"Asia/Colombo", 225}, {"Asia/Dacca", 226},
    {"Asia/Damascus", 227}, {"Asia/Dhaka", 226}, {"Asia/Dili", 228}, {"Asia/Dubai", 229},
    {"Asia/Dushanbe", 230}, {"Asia/Famagusta", 231}, {"Asia/Gaza", 232}, {"Asia/Harbin", 224},
    {"Asia/Hebron", 233}, {"Asia/Ho_Chi_Minh", 234}, {"Asia/Hong_Kong", 235}, {"Asia/Hovd", 236},
    {"Asia/Irkutsk", 237}, {"Asia/Istanbul", 238}, {"Asia/Jakarta", 239}, {"Asia/Jayapura", 240},
    {"Asia/Jerusalem", 241}, {"Asia/Kabul", 242}, {"Asia/Kamchatka", 243}, {"Asia/Karachi", 244},
    {"Asia/Kashgar", 245}, {"Asia/Kathmandu", 246}, {"Asia/Katmandu", 246}, {"Asia/Khandyga", 247},
    {"Asia/Kolkata", 221}, {"Asia/Krasnoyarsk", 248}, {"Asia/Kuala_Lumpur", 249},
    {"Asia/Kuching", 250}, {"Asia/Kuwait", 251}, {"Asia/Macao", 252}, {"Asia/Macau", 252},
    {"Asia/Magadan", 253}, {"Asia/Makassar", 254}, {"Asia/Manila", 255}, {"Asia/Muscat", 256},
    {"Asia/Nicosia", 257}, {"Asia/Novokuznetsk", 258}, {"Asia/Novosibirsk", 259},
    {"Asia/Omsk", 260}, {"Asia/Oral", 261}, {"Asia/Phnom_Penh", 262}, {"Asia/Pontianak", 263},
    {"Asia/Pyongyang", 264}, {"Asia/Qatar", 265}, {"Asia/Qostanay", 266}, {"Asia/Qyzylorda", 267},
    {"Asia/Rangoon", 268}, {"Asia/Riyadh", 269}, {"Asia/Saigon", 234}, {"Asia/Sakhalin", 270},
    {"Asia/Samarkand", 271}, {"Asia/Seoul", 272}, {"Asia/Shanghai", 224}, {"Asia/Singapore", 273},
    {"Asia/Srednekolymsk", 274}, {"Asia/Taipei", 275}, {"Asia/Tashkent", 276},
    {"Asia/Tbilisi", 277}, {"Asia/Tehran", 278}, {"Asia/Tel_Aviv", 241}, {"Asia/Thimbu", 279},
    {"Asia/Thimphu", 279}, {"Asia/Tokyo", 280}, {"Asia/Tomsk", 281}, {"Asia/Ujung_Pandang", 254},
    {"Asia/Ulaanbaatar", 223}, {"Asia/Ulan_Bator", 223}, {"Asia/Urumqi", 245},
    {"Asia/Ust-Nera", 282}, {"Asia/Vientiane", 283}, {"Asia/Vladivostok", 284},
    {"Asia/Yakutsk", 285}, {"Asia/Yangon", 268}, {"Asia/Yekaterinburg", 286}, {"Asia/Yerevan", 287},
    {"Atlantic/Azores", 288}, {"Atlantic/Bermuda", 289}, {"Atlantic/Canary", 290},
    {"Atlantic/Cape_Verde", 291}, {"Atlantic/Faeroe", 292}, {"Atlantic/Faroe", 292},
    {"Atlantic/Jan_Mayen", 204}, {"Atlantic/Madeira", 293}, {"Atlantic/Reykjavik", 294},
    {"Atlantic/South_Georgia", 295}, {"Atlantic/St_Helena", 296}, {"Atlantic/Stanley", 297},
    {"Australia/ACT", 298}, {"Australia/Adelaide", 299}, {"Australia/Brisbane", 300},
    {"Australia/Broken_Hill", 301}, {"Australia/Canberra", 298}, {"Australia/Currie", 302},
    {"Australia/Darwin", 303}, {"Australia/Eucla", 304}, {"Australia/Hobart", 302},
    {"Australia/LHI", 305}, {"Australia/Lindeman", 306}, {"Australia/Lord_Howe", 305},
    {"Australia/Melbourne", 307}, {"Australia/NSW", 298}, {"Australia/North", 303},
    {"Australia/Perth", 308}, {"Australia/Queensland", 300}, {"Australia/South", 299},
    {"Australia/Sydney", 298}, {"Australia/Tasmania", 302}, {"Australia/Victoria", 307},
    {"Australia/West", 308}, {"Australia/Yancowinna", 301}, {"Brazil/Acre", 166},
    {"Brazil/DeNoronha", 157}, {"Brazil/East", 177}, {"Brazil/West", 140}, {"CET", 309},
    {"CST6CDT", 310}, {"Canada/Atlantic", 118}, {"Canada/Central", 169}, {"Canada/Eastern", 152},
    {"Canada/Mountain", 102}, {"Canada/Newfoundland", 180}, {"Canada/Pacific", 189},
    {"Canada/Saskatchewan", 172}, {"Canada/Yukon", 190}, {"Chile/Continental", 175},
    {"Chile/EasterIsland", 311}, {"Cuba", 119}, {"EET", 312}, {"EST", 313}, {"EST5EDT", 314},
    {"Egypt", 13}, {"Eire", 315}, {"Etc/GMT", 316}, {"Etc/GMT+0", 316}, {"Etc/GMT+1", 317},
    {"Etc/GMT+10", 318}, {"Etc/GMT+11", 319}, {"Etc/GMT+12", 320}, {"Etc/GMT+2", 321},
    {"Etc/GMT+3", 322}, {"Etc/GMT+4", 323}, {"Etc/GMT+5", 324}, {"Etc/GMT+6", 325},
    {"Etc/GMT+7", 326}, {"Etc/GMT+8", 327}, {"Etc/GMT+9", 328}, {"Etc/GMT-0", 316},
    {"Etc/GMT-1", 329}, {"Etc/GMT-10", 330}, {"Etc/GMT-11", 331}, {"Etc/GMT-12", 332},
    {"Etc/GMT-13", 333}, {"Etc/GMT-14", 334}, {"Etc/GMT-2", 335}, {"Etc/GMT-3", 336},
    {"Etc/GMT-4", 337}, {"Etc/GMT-5", 338}, {"Etc/GMT-6", 339}, {"Etc/GMT-7", 340},
    {"Etc/GMT-8", 341}, {"Etc/GMT-9", 342}, {"Etc/GMT0", 316}, {"Etc/Greenwich", 316},
    {"Etc/UCT", 343}, {"Etc/UTC", 343}, {"Etc/Universal", 343}, {"Etc/Zulu", 343},
    {"Europe/Amsterdam", 344}, {"Europe/Andorra", 345}, {"Europe/Astrakhan", 346},
    {"Europe/Athens", 347}, {"Europe/Belfast", 348}, {"Europe/Belgrade", 349},
    {"Europe/Berlin", 204}, {"Europe/Bratislava", 350}, {"Europe/Brussels", 351},
    {"Europe/Bucharest", 352}, {"Europe/Budapest", 353}, {"Europe/Busingen", 354},
    {"Europe/Chisinau", 355}, {"Europe/Copenhagen", 356}, {"Europe/Dublin", 315},
    {"Europe/Gibraltar", 357}, {"Europe/Guernsey", 358}, {"Europe/Helsinki", 359},
    {"Europe/Isle_of_Man", 360}, {"Europe/Istanbul", 238}, {"Europe/Jersey", 361},
    {"Europe/Kaliningrad", 362}, {"Europe/Kiev", 363}, {"Europe/Kirov", 364}, {"Europe/Kyiv", 363},
    {"Europe/Lisbon", 365}, {"Europe/Ljubljana", 366}, {"Europe/London", 348},
    {"Europe/Luxembourg", 367}, {"Europe/Madrid", 368}, {"Europe/Malta", 369},
    {"Europe/Mariehamn", 359}, {"Europe/Minsk", 370}, {"Europe/Monaco", 371},
    {"Europe/Moscow", 372}, {"Europe/Nicosia", 257}, {"Europe/Oslo", 373}, {"Europe/Paris", 374},
    {"Europe/Podgorica", 349}, {"Europe/Prague", 350}, {"Europe/Riga", 375}, {"Europe/Rome", 376},
    {"Europe/Samara", 377}, {"Europe/San_Marino", 376}, {"Europe/Sarajevo", 378},
    {"Europe/Saratov", 379}, {"Europe/Simferopol", 380}, {"Europe/Skopje", 381},
    {"Europe/Sofia", 382}, {"Europe/Stockholm", 383}, {"Europe/Tallinn", 384},
    {"Europe/Tirane", 385}, {"Europe/Tiraspol", 355}, {"Europe/Ulyanovsk", 386},
    {"Europe/Uzhgorod", 363}, {"Europe/Vaduz", 387}, {"Europe/Vatican", 376},
    {"Europe/Vienna", 388}, {"Europe/Vilnius", 389}, {"Europe/Volgograd", 390},
    {"Europe/Warsaw", 391}, {"Europe/Zagreb", 392}, {"Europe/Zaporozhye", 363},
    {"Europe/Zurich", 354}, {"GB", 348}, {"GB-Eire", 348}, {"GMT", 316}, {"GMT+0", 316},
    {"GMT-0", 316}, {"GMT0", 316}, {"Greenwich", 316}, {"HST", 393}, {"Hongkong", 235},
    {"Iceland", 0}, {"Indian/Antananarivo", 394}, {"Indian/Chagos", 395}, {"Indian/Christmas", 396},
    {"Indian/Cocos", 397}, {"Indian/Comoro", 398}, {"Indian/Kerguelen", 399}, {"Indian/Mahe", 400},
    {"Indian/Maldives", 401}, {"Indian/Mauritius", 402}, {"Indian/Mayotte", 403},
    {"Indian/Reunion", 404}, {"Iran", 278}, {"Israel", 241}, {"Jamaica", 130}, {"Japan", 280},
    {"Kwajalein", 405}, {"Libya", 49}, {"MET", 406}, {"MST", 407}, {"MST7MDT", 408},
    {"Mexico/BajaNorte", 105}, {"Mexico/BajaSur", 143}, {"Mexico/General", 147}, {"NZ", 200},
    {"NZ-CHAT", 409}, {"Navajo", 99}, {"PRC", 224}, {"PST8PDT", 410}, {"Pacific/Apia", 411},
    {"Pacific/Auckland", 200}, {"Pacific/Bougainville", 412}, {"Pacific/Chatham", 409},
    {"Pacific/Chuuk", 413}, {"Pacific/Easter", 311}, {"Pacific/Efate", 414},
    {"Pacific/Enderbury", 415}, {"Pacific/Fakaofo", 416}, {"Pacific/Fiji", 417},
    {"Pacific/Funafuti", 418}, {"Pacific/Galapagos", 419}, {"Pacific/Gambier", 420},
    {"Pacific/Guadalcanal", 421}, {"Pacific/Guam", 422}, {"Pacific/Honolulu", 423},
    {"Pacific/Johnston", 423}, {"Pacific/Kanton", 415}, {"Pacific/Kiritimati", 424},
    {"Pacific/Kosrae", 425}, {"Pacific/Kwajalein", 405}, {"Pacific/Majuro", 426},
    {"Pacific/Marquesas", 427}, {"Pacific/Midway", 428}, {"Pacific/Nauru", 429},
    {"Pacific/Niue", 430}, {"Pacific/Norfolk", 431}, {"Pacific/Noumea", 432},
    {"Pacific/Pago_Pago", 433}, {"Pacific/Palau", 434}, {"Pacific/Pitcairn", 435},
    {"Pacific/Pohnpei", 436}, {"Pacific/Ponape", 421}, {"Pacific/Port_Moresby", 437},
    {"Pacific/Rarotonga", 438}, {"Pacific/Saipan", 439}, {"Pacific/Samoa", 433},
    {"Pacific/Tahiti", 440}, {"Pacific/Tarawa", 441}, {"Pacific/Tongatapu", 442},
    {"Pacific/Truk", 437}, {"Pacific/Wake", 443}, {"Pacific/Wallis", 444}, {"Pacific/Yap", 437},
    {"Poland", 391}, {"Portugal", 365}, {"ROC", 275}, {"ROK", 272}, {"Singapore", 273},
    {"Turkey", 238}, {"UCT", 343}, {"US/Alaska", 53}, {"US/Aleutian", 52}, {"US/Arizona", 163},
    {"US/Central", 87}, {"US/East-Indiana", 107}, {"US/Eastern", 155}, {"US/Hawaii", 423},
    {"US/Indiana-Starke", 121}, {"US/Michigan", 100}, {"US/Mountain", 99}, {"US/Pacific", 137},
    {"US/Samoa", 433}, {"UTC", 343}, {"Universal", 343}, {"W-SU", 372}, {"WET", 445}, {"Zulu", 343},
};
const size_t zonedata_count = 597;
/* clang-format on */
