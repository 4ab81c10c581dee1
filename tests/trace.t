# explain --timeline FILE.json: a trace by the rules of the viewers' format.
#once

# Each event is a line.  A lane holds events that do not overlap, and has a name;
# every flow has two ends, the later one where a work begins; times are numbers.
$ check() { "$@" --timeline=t.json > out || echo "$*: $?"; \
    LC_ALL=C awk -f $SRC/tests/trace.awk t.json; }; \
  for w in jacobi hit sssp sgd; do \
    for p in memcpy memcpy-async proact-poll um nccl infinite inline; do \
      check gpuscale explain --all $w --system h200x8 --gpus 4 -p $p; done; done; \
  for k in '' threads=1 norm=1 'norm=2 -P threads=1 -P waits=0' barriers=3 waits=0\ -P\ threads=1; do \
    check gpuscale explain --all stencil-host --system h200x8 --gpus 4 ${k:+-P $k}; done

# The rest of what explain says is the same; without a file only the schedule.
$ gpuscale explain --all jacobi --system h200x8 --gpus 2 > a; \
  gpuscale explain --all jacobi --system h200x8 --gpus 2 --timeline t.json > b; cmp a b
$ gpuscale explain --all jacobi --system h200x8 --gpus 2 -p memcpy --timeline | sed 1q
host  stream  action       what                   called     begin       end

# The last thing of a step ends when the step does.
$ gpuscale explain --all jacobi --system h200x8 --gpus 4 -p memcpy --timeline t.json > out; \
  step=$(sed -n 's/.*"step_us": "\([0-9.]*\)".*/\1/p' t.json); \
  sed -n 's/.*"cat": "call", "ts": \([0-9.e-]*\), "dur": \([0-9.e-]*\),.*/\1 \2/p' t.json | \
    LC_ALL=C awk -v step="$step" '$1 + $2 > most { most = $1 + $2 } \
      END { if (most < 0.999 * step || most > 1.001 * step) print most, step }'

# The link is busy from a kernel's first byte to its end; the agent that sends stays as long.
$ gpuscale explain --all als --system h200x8 --gpus 4 -p proact-poll --timeline t.json > out; \
    python3 -c 'import json; e = [x for x in json.load(open("t.json"))["traceEvents"] if x["ph"] == "X"]; \
    end = lambda x: round(x["ts"] + x["dur"], 6); at = lambda s: [x for x in e if x["name"] == s and x["cat"] == "work"]; \
    rows, = at("rows"); link = [x for x in at("launch rows") if x["ts"] > rows["ts"]]; \
    agent = at("agent")[0]; print(len(link), end(link[0]) == end(rows), end(agent) == end(rows), agent["ts"] < rows["ts"])'
1 True True True

# ---- what cannot be written: a line, the status, nothing half-written
$ gpuscale explain --all jacobi --system h200x8 --gpus 2 --timeline nowhere/t.json; echo $?
gpuscale: nowhere/t.json: No such file or directory
5
$ mkdir locked.json; gpuscale explain --all jacobi --system h200x8 --gpus 2 \
    --timeline locked.json; echo $?; ls locked.json
gpuscale: locked.json: is a directory
5
