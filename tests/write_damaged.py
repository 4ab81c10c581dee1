#!/usr/bin/env python3
"""write_damaged - into the current directory, profiles of a kernel that is launched 40 times,
of which some records or the whole file are damaged."""

import gzip
import sqlite3


def kineto(name, dur, bad, more=""):
    e = []
    for i in range(40):
        d = dur if i < bad else "12.5"
        e.append('{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":%d,"dur":%s,'
                 '"args":{"device":0,"stream":7,"correlation":%d,"grid":[8,1,1],"block":[64,1,1]%s}}'
                 % (100 * i, d, i + 1, more))
    open(name, "w").write('{"traceEvents":[' + ",".join(e) + "]}")

def nsys(name, bad, end, extra=()):
    d = sqlite3.connect(name)
    d.execute("CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT)")
    d.execute("INSERT INTO StringIds VALUES(1,'k')")
    d.execute("CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INT, end, correlationId INT, globalPid INT,"
              " deviceId INT, contextId INT, streamId INT, demangledName INT, shortName INT,"
              " gridX INT, gridY INT, gridZ INT, blockX INT, blockY INT, blockZ INT)")
    for i in range(40):
        d.execute("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES(?,?,?,?,0,1,7,1,1,?,?,?,64,1,1)",
                  (1000 * i + 5, end if i < bad else 1000 * i + 900, i, 77 << 24, 2**62, 2**62, 9))
    for s in extra:
        d.execute(s)
    d.commit()

kineto("long.json", "1e400", 40)
kineto("negative.json", "-1e308", 40)
kineto("text.json", '"x"', 40)
kineto("none.json", "null", 40)
kineto("few.json", '"x"', 3)
kineto("grid.json", "3", 0, ',"grid":[1e30,1e300,-1e300]')
nsys("before.sqlite", 40, 1)
nsys("text.sqlite", 40, "soon")
nsys("few.sqlite", 2, 1)
nsys("view.sqlite", 0, 1, ["CREATE VIEW CUPTI_ACTIVITY_KIND_MEMCPY AS WITH RECURSIVE"
     " c(start) AS (SELECT 1 UNION ALL SELECT start+1 FROM c) SELECT start, 1 AS end, 1 AS correlationId,"
     " 1 AS bytes FROM c"])
nsys("string.sqlite", 0, 1, ["DROP TABLE StringIds",
     "CREATE VIEW StringIds AS SELECT 1 AS id, printf('%*c', 900000000, 'x') AS value"])
with gzip.open("string.json.gz", "wb", 1) as f:
    f.write(b'{"traceEvents":[{"name":"')
    for i in range(80):
        f.write(b"x" * (1 << 20))
with gzip.open("events.json.gz", "wb", 9) as f:
    f.write(b'{"traceEvents":[')
    for i in range(90):
        f.write(b'{"ph":"i","ts":1},' * 58254)
