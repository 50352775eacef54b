"""Attacks with arguments that the tables do not name: odd flags, high words, other numbers; see `attacks.py`."""
# ruff: noqa: E501 - an attack reads best in one piece

from attacks import f

ODD = {
    "odd bits and high words": f(r"""
found=[]
P=passed
me=os.getpid()
h=1<<32
found+=P(("kill high me",call(62,me|h,0)),("kill 0",call(62,0,0)),("kill -me",call(62,-me,0)),("tgkill parent thread",call(234,os.getppid(),me,0)),("tkill",call(200,me,0)))
found+=P(("tgkill high",call(234,me|h,me,0)))
for fl in (0x1,0x3,0x21,0x23,0x28,0x8|0x20,0x2|0x100|0x20,0x22|0x2000,0x22|0x40000,0x22|0x80000,0x22|(1<<26),0x22|(1<<32),0x22|(1<<63)-(1<<62),0x22|0x4000000,0x22|0x200000,0x22|0x40):
    for pr in (0,1,3,7):
        at=call(9,0,4096,pr,ctypes.c_long(fl if fl<1<<63 else fl-(1<<64)),-1,0)
        if at>0 or at not in (-1,-13,-38): found.append(f"mmap {fl:x} {pr}:{at}")
for pr in (8,16,0x10,0x01000000,0x02000000,1<<32|3,0x20):
    found+=P((f"prot {pr:x}",call(9,0,4096,ctypes.c_long(pr),0x22,-1,0)),(f"mprotect {pr:x}",call(10,0,4096,ctypes.c_long(pr))))
for ad in (9,10,11,12,13,18,19,20,21,22,23,24,25,100,101,102,103):
    at=mapped(4096,0x22)
    found+=P((f"madvise {ad}",call(28,ctypes.c_long(at),4096,ad)))
for op in (2,6,7,8,11,12,13,14):
    for o in (0,128,256,384):
        found+=P((f"futex {op}|{o}",call(202,bytes(8),op|o,0,None,None,0)))
for c in (0,4,5,6,7,8,9,10,11,12,13,14,15,16,36,37,38,1024,1025,1026,1027,1028,1029,1030,1031,1032,1033,1034,1035,1036,1037,1038,1039,1040):
    for fd in (0,1,3):
        found+=P((f"fcntl {c} {fd}",call(72,fd,c,me)),(f"fcntl high {c}",call(72,fd,ctypes.c_long(c|h),me)))
for q in (0x5401,):
    pass
for q in (0x5402,0x540e,0x540f,0x5410,0x5411,0x5412,0x5413,0x541b,0x5421,0x5450,0x5451,0x5452,0x5460,0x8901,0x8902,0x8903,0x8904,0x8905,0x8912,0x8914,0x8933,0xc0045877,0x40086602,0x80086601,0x40049409,0x6609,0x660a,0xc0185879,0x81f8943c,0xb701,0xae01,0x5500,0x2285,0x1261,0x1277,0x80081272,0xc020660b,0x4004667f,0x401c5820,0x801c581f,0x89e0,0x89f0,0x5404,0x5408,0x541a):
    for fd in (0,1,2,3):
        found+=P((f"ioctl {q:x} {fd}",call(16,fd,q,bytes(64))),(f"ioctl high",call(16,fd,ctypes.c_long(q|h),bytes(64))))
for c in (-1,-2,-6,-10,12,13,16,31,me*8+2 ^ -1, (~victim<<3)|2, (~1<<3)|2, (~0<<3)|3):
    found+=P((f"clock {c}",call(228,c,bytes(16))),(f"res {c}",call(229,c,bytes(16))),(f"nsleep {c}",call(230,c,0,struct.pack('QQ',0,1),None)))
for pid in (victim,parent,SCENE['worker'],os.getppid(),1):
    found+=P((f"getaff {pid}",call(204,pid,128,bytes(128))),(f"rl {pid}",call(302,pid,7,None,bytes(16))))
for n in (0,1,2,3,4,5,7,8,9,16,22,23,24,38,47,57,64):
    found+=P((f"prctl {n}",call(157,n,9,0,0,0)))
for c in (0x1001,0x1002,0x1003,0x1004,0x1011,0x1012,0x1024,0x1025,0x2001,0x2002,0x2003,0x4001,0x4002,0x4003,0x5001,0x5002,0x5005):
    found+=P((f"arch {c:x}",call(158,c,0)))
for fl in (0x40,0x80,0x200,0x400,0x1000,0x2000,0x4000,0x40000,0x100000,0x101000,0x200000,0x400000,0x410000,0x600000,0x800000,1<<24,1<<31,3,1,2,0x401002):
    for path in (b"/usr/lib",b"/dev/null",b"/proc/meminfo",secret.encode(),folder.encode(),b"/dev/urandom",b"/dev/zero"):
        r=call(257,-100,path,ctypes.c_long(fl),0o600)
        if r not in (-1,-13): found.append(f"openat {fl:x} {path}:{r}")
        r=call(2,path,ctypes.c_long(fl),0o600)
        if r not in (-1,-13): found.append(f"open {fl:x} {path}:{r}")
for fl in (1,4,8,0x10,0x40,0x80,0x800,0x8000,0x10000,0x40000,0x4000000,0x20000000):
    found+=P((f"sendto {fl:x}",call(44,3,b"",0,ctypes.c_long(fl),None,0)))
found+=P(("recvfrom",call(45,3,bytes(8),8,0x40,bytes(110),bytes(4))))
return found
"""),
    "links and lists of others": f(r"""
found=[]
for pid in (victim,parent,SCENE["worker"],os.getppid(),1):
    for n in ("exe","cwd","root","fd/0","fd/3","ns/pid","task/%d/exe"%pid):
        try: found.append("link %s %s"%(n,os.readlink(f"/proc/{pid}/{n}")))
        except OSError: pass
for d in ("/proc","/proc/self/fd","/proc/self","/tmp",folder,"/root","/home","/etc","/dev","/sys","/sys/class","/sys/kernel","/sys/devices","/sys/fs","/usr","/usr/bin","/usr/share","/usr/local","/usr/include","/opt","/var","/run"):
    try: found.append("listed "+d) if os.listdir(d) is not None else 0
    except OSError: pass
for d in ("/usr/lib/../../etc","/usr/lib/../../../root","/lib/../tmp","/usr/lib64/../../home"):
    try: os.listdir(d); found.append("dotdot "+d)
    except OSError: pass
return found
"""),
    "descriptors without end": f(r"""
n=0
try:
    while True:
        os.open("/usr/lib",os.O_RDONLY); n+=1
except OSError as e: pass
return [] if n <= 252 else [f'{n} descriptors']
"""),
    "processes as threads": f(r"""
found=[]
for fl in (0,17,0x100,0x11,0x4111,0x10000000|17,0x20000|17,0x3d0f00|0x8000,0x3d0f00|0x2000,0x3d0f00|0x4000,0x3d0f00|0x80000000,0x3d0f00|0x20000000,0x3d0f00|0x800000,0x3d0f00|0x1000,0x3d0f00|1<<32,0x3d0f00|1<<33,0x3d0f00^0x40000,0x3d0f00^0x10000,0x3d0f00^0x100,0x3d0f00^0x400):
    r=call(56,ctypes.c_long(fl),0,0,0,0)
    if r not in (-1,): found.append((hex(fl),r))
    if r==0: os._exit(9)
found+=passed(("vfork",call(58)),("fork",call(57)),("clone3",call(435,bytes(88),88)),("execve",call(59,b"/bin/true",None,None)),("execveat",call(322,-100,b"/bin/true",None,None,0)),("waitid",call(247,0,0,None,4,None)),("wait4",call(61,-1,None,1,None)),("pidfd_open",call(434,os.getpid(),0)),("pidfd_send",call(424,3,9,None,0)),("pidfd_getfd",call(438,3,0,0)))
return [str(x) for x in found]
"""),
    "limits raised again": f(r"""
import resource
out=[]
for n in range(16):
    try: resource.setrlimit(n,(resource.RLIM_INFINITY,)*2); out.append("set %d"%n)
    except (ValueError,OSError): pass
return out
"""),
}
"""Each gains nothing, and nothing around it changes."""
