"""Replies that a child may forge on its channel, ends that it may come to, and what it may print: no judge is misled.

Each is the body of `f(x, h)`; `raw` writes bytes to the channel, `text` a header that is written by hand.
"""
# ruff: noqa: E501 - a forged reply reads best in one piece

PRELUDE = r"""
import os, json, time, math, sys
def frame(header, blobs=()):
    t=json.dumps({"header":header,"blobs":[len(b) for b in blobs]}).encode()
    return len(t).to_bytes(8,"big")+t+b"".join(blobs)
def raw(b):
    v=memoryview(b)
    while v: v=v[os.write(3,v):]
def text(t, blobs=b""):
    t=t.encode() if isinstance(t,str) else t
    raw(len(t).to_bytes(8,"big")+t+blobs)
def end(): os._exit(0)
"""

FORGED = {
    "prefix 2^63": "raw(b'\\xff'*8); end()",
    "prefix 2^20+1": "raw((2**20+1).to_bytes(8,'big')); end()",
    "prefix 2^20 then nothing": "raw((2**20).to_bytes(8,'big')); end()",
    "prefix 0": "raw(bytes(8)); end()",
    "zeros flood": "while True: raw(bytes(1<<20))",
    "drip": "for b in frame({'value':{'plain':1},'inputs':[]}): raw(bytes([b])); time.sleep(.002)\nend()",
    "drip header 1 MiB": "raw((2**20).to_bytes(8,'big'))\nwhile True: raw(b' '); time.sleep(.0005)",
    "deep list": "text('['*500000); end()",
    "deep in header": "text('{\"header\":'+'['*400000+']'*400000+',\"blobs\":[]}'); end()",
    "deep value 900": 'text(\'{"header":{"inputs":[],"value":\'+\'{"list":[\'*490+\'{"plain":1}\'+\']}\'*490+\'},"blobs":[]}\'); end()',
    "deep value 300": 'text(\'{"header":{"inputs":[],"value":\'+\'{"list":[\'*200+\'{"plain":1}\'+\']}\'*200+\'},"blobs":[]}\'); end()',
    "deep dict 150": 'text(\'{"header":{"inputs":[],"value":\'+\'{"dict":[[{"plain":1},\'*150+\'{"plain":1}\'+\']]}\'*150+\'},"blobs":[]}\'); end()',
    "deep family": 'text(\'{"header":{"error":{"type":\'+\'[\'*450+\']\'*450+\',"family":[],"message":"","line":1}},"blobs":[]}\'); end()',
    "long number": 'text(\'{"header":{"inputs":[],"value":{"plain":\'+\'9\'*500000+\'}},"blobs":[]}\'); end()',
    "4300 digits": 'text(\'{"header":{"inputs":[],"value":{"plain":\'+\'9\'*4300+\'}},"blobs":[]}\'); end()',
    "4300 digits line": 'text(\'{"header":{"error":{"type":"E","family":[],"message":"","line":\'+\'9\'*4300+\'}},"blobs":[]}\'); end()',
    "4300 digits shape": 'text(\'{"header":{"inputs":[],"value":{"tensor":{"dtype":"float32","shape":[\'+\'9\'*4300+\']}}},"blobs":[0]}\'); end()',
    "4300 digits blob": 'text(\'{"header":{"inputs":[],"value":{"plain":1}},"blobs":[\'+\'9\'*4300+\']}\'); end()',
    "kind a big number": "text('{\"header\":{\"error\":{\"type\":'+'9'*4300+',\"family\":['+'9'*4300+'],\"message\":'+'9'*4300+',\"line\":1}},\"blobs\":[]}'); end()",
    "other a big number": 'text(\'{"header":{"inputs":[],"value":{"other":\'+\'9\'*4300+\'}},"blobs":[]}\'); end()',
    "dtype a big number": 'text(\'{"header":{"inputs":[],"value":{"tensor":{"dtype":\'+\'9\'*4300+\',"shape":[1]}}},"blobs":[0]}\'); end()',
    "int 1e400": 'text(\'{"header":{"inputs":[],"value":{"plain":1e400}},"blobs":[]}\'); end()',
    "NaN": 'text(\'{"header":{"inputs":[NaN],"value":{"plain":NaN}},"blobs":[]}\'); end()',
    "nan blobs": 'text(\'{"header":{"inputs":[],"value":{"plain":1}},"blobs":[NaN]}\'); end()',
    "true blobs": 'text(\'{"header":{"inputs":[],"value":{"plain":1}},"blobs":[true]}\'); end()',
    "negative blobs": 'text(\'{"header":{"inputs":[],"value":{"plain":1}},"blobs":[-5,5]}\'); end()',
    "100000 blobs": 'text(\'{"header":{"inputs":[],"value":{"plain":1}},"blobs":[\'+\'0,\'*300000+\'0]}\'); end()',
    "64 MiB": "raw(frame({'inputs':[],'value':{'tensor':{'dtype':'float32','shape':[1<<24]}}},[bytes(1<<26)])); end()",
    "64 MiB and 1": "raw(frame({'inputs':[],'value':{'tensor':{'dtype':'float32','shape':[1<<24]}}},[bytes((1<<26)+1)])); end()",
    "64 MiB of unknown": "raw(frame({'inputs':[],'value':{'tensor':{'dtype':'x','shape':[1<<24]}}},[bytes(1<<26)])); end()",
    "empty of 2^62": "raw(frame({'inputs':[],'value':{'tensor':{'dtype':'float32','shape':[0,1<<62,1<<62]}}},[b''])); end()",
    "64 axes": "raw(frame({'inputs':[],'value':{'tensor':{'dtype':'float32','shape':[1]*60+[2,3,5]}}},[bytes(120)])); end()",
    "65 axes": "raw(frame({'inputs':[],'value':{'tensor':{'dtype':'float32','shape':[1]*65}}},[bytes(4)])); end()",
    "21 twos": "raw(frame({'inputs':[],'value':{'tensor':{'dtype':'uint8','shape':[2]*21}}},[bytes(1<<21)])); end()",
    "12 ones many": "raw(frame({'inputs':[],'value':{'tensor':{'dtype':'float32','shape':[x.shape[0],x.shape[1],x.shape[2]]+[1]*61}}},[bytes(4*x.size)])); end()",
    "same axes of another shape": "raw(frame({'inputs':[],'value':{'tensor':{'dtype':'float32','shape':list(x.shape)[::-1]}}},[bytes(4*x.size)])); end()",
    "nan values": "raw(frame({'inputs':[],'value':{'tensor':{'dtype':'float32','shape':[x.shape[0],h,x.shape[1],x.shape[2]//h]}}},[b'\\xff\\xff\\xff\\x7f'*x.size])); end()",
    "inf values": "raw(frame({'inputs':[],'value':{'tensor':{'dtype':'float32','shape':[x.shape[0],h,x.shape[1],x.shape[2]//h]}}},[b'\\x00\\x00\\x80\\x7f'*x.size])); end()",
    "bools that are 7": "raw(frame({'inputs':[],'value':{'tensor':{'dtype':'bool','shape':[x.shape[0],h,x.shape[1],x.shape[2]//h]}}},[b'\\x07'*x.size])); end()",
    "float16": "raw(frame({'inputs':[],'value':{'tensor':{'dtype':'float16','shape':[x.shape[0],h,x.shape[1],x.shape[2]//h]}}},[b'\\x07\\x01'*x.size])); end()",
    "bfloat16": "raw(frame({'inputs':[],'value':{'tensor':{'dtype':'bfloat16','shape':[x.shape[0],h,x.shape[1],x.shape[2]//h]}}},[b'\\x07\\x01'*x.size])); end()",
    "surrogates": 'text(\'{"header":{"error":{"type":"\\\\ud800","family":["\\\\udfff"],"message":"\\\\ud83d \\\\u001b[2J \\\\u202e \\\\u0000","line":1}},"blobs":[]}\'); end()',
    "surrogate dtype": 'text(\'{"header":{"inputs":[],"value":{"tensor":{"dtype":"\\\\ud800","shape":[2]}}},"blobs":[2]}\',b\'ab\'); end()',
    "surrogate plain": 'text(\'{"header":{"inputs":[],"value":{"plain":"\\\\ud800\\\\u001b]0;x\\\\u0007"}},"blobs":[]}\'); end()',
    "surrogate other": 'text(\'{"header":{"inputs":[],"value":{"other":"\\\\ud800\\\\u001b]0;x"}},"blobs":[]}\'); end()',
    "surrogate keys": 'text(\'{"header":{"\\\\ud800":1,"inputs":[],"value":{"\\\\ud800":1}},"blobs":[]}\'); end()',
    "bad utf-8": 'text(b\'{"header":{"value":"\\xff\\xfe"},"blobs":[]}\'); end()',
    "utf-16": 'text(\'{"header":{"inputs":[],"value":{"plain":1}},"blobs":[]}\'.encode(\'utf-16\')); end()',
    "two replies": "f1=frame({'inputs':[],'value':{'plain':1}}); raw(f1+f1); end()",
    "the right reply twice, before it is asked again": "v=x.reshape(*x.shape[:2],h,-1).transpose(0,2,1,3)\nr=frame({'value':{'tensor':{'dtype':v.dtype.name,'shape':list(v.shape)}},'inputs':[{'tensor':{'dtype':x.dtype.name,'shape':list(x.shape)}}]},[v.tobytes(),x.tobytes()])\nraw(r); time.sleep(.05); raw(r); end()",
    "a thousand replies": "f1=frame({'inputs':[],'value':{'plain':1}})\nwhile True: raw(f1)",
    "ready again": "raw(frame({'ready':True})); end()",
    "error and value": "raw(frame({'error':None,'value':{'plain':1},'inputs':[]})); end()",
    "error a list": "raw(frame({'error':[]})); end()",
    "many inputs": "raw(frame({'value':{'plain':1},'inputs':[{'plain':None}]*60000})); end()",
    "many gradients": "raw(frame({'value':{'plain':1},'inputs':[],'gradients':[{'plain':None}]*60000})); end()",
    "gradients a number": "raw(frame({'value':{'plain':1},'inputs':[],'gradients':5})); end()",
    "inputs a text": "raw(frame({'value':{'plain':1},'inputs':'abc'})); end()",
    "inputs null": "raw(frame({'value':{'plain':1},'inputs':None})); end()",
    "wide list": "raw(frame({'value':{'list':[{'plain':1}]*60000},'inputs':[]})); end()",
    "wide dict": "raw(frame({'value':{'dict':[[{'plain':1},{'plain':1}]]*20000},'inputs':[]})); end()",
    "dict with no pairs": "raw(frame({'value':{'dict':[5]},'inputs':[]})); end()",
    "text of 1 MiB": "raw(frame({'value':{'plain':'x'*1000000},'inputs':[]})); end()",
    "family a million": "raw(frame({'error':{'type':'E','family':['x']*200000,'message':'m'*500000,'line':1}})); end()",
    "EinopsError forged": "raw(frame({'error':{'type':'EinopsError','family':['EinopsError'],'message':'\\n'*200000+'Input tensor shape: x\\n  a','line':3}})); end()",
    "NameError regex": "raw(frame({'error':{'type':'NameError','family':['NameError'],'message':\"name '\"+'a'*1900+\"' is not defined\",'line':1}})); end()",
    "lengths regex": "raw(frame({'error':{'type':'RuntimeError','family':['RuntimeError'],'message':'subscript a has size 1 for operand 1 '*50,'line':1}})); end()",
    "huge operand": "raw(frame({'error':{'type':'RuntimeError','family':['RuntimeError'],'message':'einsum(): subscript b has size 99999999999999999999999999 for operand 999999999999999999999999 which does not broadcast with previously seen size 7','line':2}})); end()",
    "MemoryError forged": "raw(frame({'error':{'type':'X','family':['MemoryError'],'message':'','line':0}})); end()",
    "OSError forged": "raw(frame({'error':{'type':'X','family':['OSError'],'message':'\\x1b[31m'*300,'line':0}})); end()",
    "exit 0 after a reply half": "os.write(3, frame({'value':{'plain':1},'inputs':[]})[:20]); os._exit(0)",
    "stops itself": "os.kill(os.getpid(),19)",
    "SIGXCPU to itself": "os.kill(os.getpid(),24)",
    "SIGKILL to itself": "os.kill(os.getpid(),9)",
    "signal 40": "os.kill(os.getpid(),40)",
    "output 2 MiB": "for _ in range(2<<10): os.write(1,b'x'*1024)\nreturn x",
    "output of escapes": "os.write(1,b'\\x1b[2J\\x1b]0;t\\x07\\xff\\xfe\\x00\\xe2\\x80\\xae'*2000); os.write(2,b'\\x9b31m'); return x",
    "output closed": "os.close(1); os.close(2); return x",
    "forged notice on the output": 'os.write(1,b\'{"status": 0, "cpu_s": 0}\\n\'); os._exit(0)',
    "channel closed": "os.close(3); end()",
}
"""None of them is a right answer."""


def source(body: str) -> str:
    """The whole answer."""
    lines = "\n".join(f"    {line}" for line in body.split("\n"))
    return f"{PRELUDE}\ndef f(x, h):\n{lines}\n"
