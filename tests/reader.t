# What 0.1 reads and writes, read in Python by the documentation alone (tests/reader.py): the
# example of docs/howto/add-a-system.md, what calibrate writes, shipped descriptions, CSV and JSON.
#once
$ command -v python3 > /dev/null || { echo 'there is no python3 here'; exit 77; }; \
  sed -n 's/^    //p' "$SRC/docs/howto/add-a-system.md" > mine.lua; \
  gpuscale calibrate "$SRC/data/h200x8/micro/dma.csv" --base h200x8 -o w.lua > /dev/null 2>&1; \
  python3 "$SRC/tests/reader.py" mine.lua w.lua "$SRC"/params/h[12]00x?.lua "$SRC"/params/k?0-*.lua > said; \
  awk '/as documented/ && $3 > 400 { print "all read"; next } { print }' said
all read
# A number that is another is said.
$ sed 's/measured(0.95, 0.02/measured(0.95, 0.03/' mine.lua > other.lua; printf '%s\n' 'import sys; sys.path.insert(0, sys.argv[1])' \
    'import reader; said = reader.asked' 'reader.asked = lambda *w: said(*[x.replace("other", "mine") for x in w])' \
    'print("\n".join(reader.description("other.lua")[1]))' > asks.py; PYTHONDONTWRITEBYTECODE=1 python3 asks.py "$SRC/tests"
other.lua: copy.efficiency: 0.95 +/- 0.03, explain: 0.94999999999999996 +/- 0.02
