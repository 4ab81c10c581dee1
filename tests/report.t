# report: one page that needs nothing else, and says what the other verbs say.

$ gpuscale report jacobi --system h200x8 --gpus 1-8 -P n=512 -o r.html; echo $?
0
$ head -n 1 r.html; tail -n 1 r.html; grep -c '<svg' r.html; \
  grep -c -i -e '<script' -e 'onload' -e '@import' r.html; \
  grep -o -E '(src|href)="?[^"# >]*' r.html | sort -u
<!DOCTYPE html>
</html>
3
0
href='
# Names inside the figures are not shared.
$ grep -o -E " id=['\"][^'\"]*" r.html | sort | uniq -d

# Well-formed, if there is who can tell; and what it says is what was predicted.
$ ! command -v xmllint > found || xmllint --noout r.html
$ gpuscale predict jacobi --system h200x8 --gpus 8 -P n=512 | \
    awk '/^ +8  / { print $2; print $3 " " $4; print $6; exit }' > said; \
  sed -n '/<p>/s/<[^>]*>//gp' r.html | sed 1q > first; \
  while IFS= read -r w; do grep -qF -e "$w" first || echo "no $w"; done < said
$ gpuscale explain --all jacobi --system h200x8 --gpus 8 -P n=512 | \
    sed -n '/^measure this next/,/^$/s/^  \(.*\): .*/\1/p' > next; wc -l < next; \
  sed -n '/What to measure next/,/How far/p' r.html | grep -o '<td>[^<]*</td>' > cells; \
  while IFS= read -r w; do grep -qF "<td>$w</td>" cells || echo "no $w"; done < next
3
# Every number, and no other; a row more is the headings'.
$ n=$(gpuscale explain --all jacobi --system h200x8 --gpus 8 -P n=512 -f csv | \
    grep -c ',number,'); sed -n '/Where each number/,/How this page/p' r.html | \
    grep -c '</tr>$' | grep -vx $((n + 1))
$ grep -o '<td>[0-9a-f]\{64\}</td>' r.html | sed 's/<[^>]*>//g' | sort > a; \
  for f in $SRC/lua/workloads/jacobi.lua $SRC/params/h200x8.lua; do \
    sha256sum < $f | cut -c 1-64; done | sort | comm -23 - a

# The page's title is its heading; each row of a table has a cell a heading.
$ sed -n '1,/<h1>/s/.*<title>\(.*\)<\/title>/\1/p; s/<h1>\(.*\)<\/h1>/\1/p' r.html
jacobi on h200x8
jacobi on h200x8
$ printf '%s\n' 'tr -d "\n" | sed "s/<tr>/\n&/g; s/<\/table>/\n/g"' > rows; sh rows < r.html | awk '!/^<tr>/ { next } { h = gsub("<th>", ""); d = gsub("<td>", "") } \
    h { n = h; tables++ } h + d != n { print n, "headings:", h, d, $0 } END { print tables, "tables" }'
5 tables
# The first has each N; the ranking each way, and how far it is behind the first.
$ sh rows < r.html | sed 's/<\/t[dh]>/|/g; s/<[^>]*>//g' > text; sed -n '/^GPUs/,/^|paradigm/s/^\([0-9]*\)|.*/\1/p' text | xargs
1 2 3 4 5 6 7 8
$ gpuscale predict jacobi --system h200x8 --gpus 8 -P n=512 -f csv > p.csv; sed -n '/^|paradigm/,/^number/p' text | tr '|' , | \
    awk -F, 'NR == FNR { t[$3] = $6; next } $1 == 1 { first = t[$2] } $1 ~ /^[0-9]+$/ { n++; if ($5 != sprintf("%.1f %%", 100 * (t[$2] / first - 1))) print } \
      END { print n, "ways" }' p.csv -
10 ways
# What is lost is what predict says.
$ gpuscale predict jacobi --system h200x8 --gpus 8 -P n=512 | tr -s ' \n' ' ' | grep -o 'Lost to [^.]*' > said; grep -c -f said r.html
1
$ gpuscale report template --system h200x8 --gpus 1-4 -P serial=0.5 | grep -o 'Lost to [a-z]*'
Lost to kernels
$ gpuscale report template --system h200x8 --gpus 2,4 -P t1=9us -P publish=400MB | grep -o '<p>More than.*'
<p>More than 2 GPUs only slow it.</p>

# ---- few runs: how far off the prediction is of them
$ printf '%s\n' 'workload,paradigm,knobs,gpus,time_s,sigma_s' 'jacobi,infinite,n=512,1,272e-6,1e-6' 'jacobi,memcpy,n=512,2,152e-6,1e-6' 'jacobi,memcpy,n=512,4,99e-6,1e-6' \
    'jacobi,inline,n=512,2,150e-6,1e-6' > few.csv; gpuscale report jacobi --system h200x8 --gpus 1,2,4 -P n=512 --runs few.csv 2> note > w.html; \
  gpuscale validate few.csv --system h200x8 --best -f csv | awk -F, '$11 == "scored" { e = 100 * $9; a = e < 0 ? -e : e; s += a; n++; if (a > m) { m = a; w = e } } \
    END { printf "%d runs of few.csv, each the fastest of its paradigm: mean |error| %.1f %%, worst %+.1f %%\n", n, s / n, w }' > said; \
  grep -c -F -f said w.html; sed -n '/What was measured/,/<\/table>/p' w.html > held; \
  share=$(sed -n 's/.*within one standard error \([0-9]*\) %.*/\1/p' held); grep -o '<td>\(yes\|no\)</td>' held | \
    awk -v s=$share '/yes/ { y++ } END { print s - int(100 * y / NR + .5) }'; sh rows < held | sed 's/<\/t[dh]>/|/g; s/<[^>]*>//g' | cut -d '|' -f 2 | grep -x 'paradigm\|memcpy\|inline'
1
0
paradigm
memcpy
memcpy
inline
$ grep -v infinite few.csv > two.csv; gpuscale report jacobi --system h200x8 --gpus 1,2 -P n=512 --runs two.csv -o n.html 2> why; echo $?; tail -n 1 why
3
gpuscale: two.csv: no run of jacobi on 1 GPU to compare with
$ gpuscale report jacobi --system h200x8 --gpus 1,2 --runs none.csv -o n.html; echo $?
gpuscale: none.csv: cannot open: No such file or directory
5

# Without -o to stdout; any program, text in it is text.
$ gpuscale report stencil-host --system h200x8 --gpus 1,2 | tail -n 1
</html>
$ sed 's/name = "template"/name = "a-b"/; s/a program known by/a <b> \& \\"c\\" known by/' \
    $SRC/lua/workloads/template.lua > t.lua; \
  gpuscale report t.lua --system v100x4 | grep -c 'a &lt;b&gt; &amp; &quot;c&quot; known'
1

# ---- refused: one line, the status, nothing half-written
$ gpuscale report jacobi --system h200x8 --gpus 1 -o n.html; echo $?
gpuscale: report: needs more than one number of GPUs
2
$ gpuscale report jacobi --system h200x8 -o nowhere/n.html; echo $?
gpuscale: nowhere/n.html: No such file or directory
5
$ PATH=$B gpuscale report jacobi --system h200x8 -o n.html; echo $?
gpuscale: plot: needs the program gnuplot
3
$ gpuscale report jacobi --system h200x8 -o /dev/full; echo $?
gpuscale: /dev/full: No space left on device
5
$ gpuscale report --system h200x8; echo $?
gpuscale: report: needs a WORKLOAD; see `gpuscale report --help`
2
$ ls n.html
ls: cannot access 'n.html': No such file or directory

#long on
# ---- with runs: the figure has their points, the table is what validate says
$ runs=$SRC/data/h200x8/runs/runs.csv; \
  gpuscale report jacobi --system h200x8 --gpus 1-8 -P n=512 --runs $runs -o m.html; \
  grep -c 'pen points: given' m.html; \
  sed -n '/What was measured/,/What to measure next/p' m.html > held; sed 's/<[^>]*>//g' held | grep -o '^[0-9]* runs of'; \
  gpuscale validate $runs --system h200x8 --where n=512 --best -f csv > v.csv; \
  awk -F, '$1 == "jacobi" && $11 == "scored" { printf "<td>%+.1f %%</td>\n", 100 * $9; sum += $9 < 0 ? -$9 : $9; n++ } \
    END { printf "mean |error| %.1f %%\n", 100 * sum / n; print n }' v.csv > said; \
  tail -n 1 said; sed '$d' said | while IFS= read -r w; do grep -qF -e "$w" held || echo "no $w"; done
gpuscale: note: the most informative next run is by um-hints on 7 GPUs: the error of um-hints on 8 GPUs would be 0.8% instead of 12.8%
1
15 runs of
15
# A single-GPU time that is given is no other program, and is what it starts from.
$ gpuscale report jacobi --system h200x8 --gpus 1-8 -P n=512 -P t1=300us --runs $SRC/data/h200x8/runs/runs.csv | \
    grep -o -e '<td>300 us</td>' -e '^<p>[0-9]* runs of' | head -n 2
gpuscale: note: the most informative next run is by inline on 7 GPUs: the error of inline on 8 GPUs would be 2.9% instead of 15.3%
<td>300 us</td>
<p>15 runs of
# None of another size is in it; what the system was fitted to is no judge.
$ gpuscale report jacobi --system h200x8 -P n=511 --runs $SRC/data/h200x8/runs/runs.csv -o n.html 2>&1 | sed "s|$SRC/||"
gpuscale: note: no run of jacobi with these knobs; those with others are given
gpuscale: note: the most informative next run is by um-hints on 7 GPUs: the error of um-hints on 8 GPUs would be 0.8% instead of 12.9%
gpuscale: data/h200x8/runs/runs.csv: no runs of jacobi with these knobs
$ printf '%s\n' 'workload,paradigm,knobs,gpus,time_s,sigma_s' 'jacobi,infinite,n=512,1,0.004,0' \
    'jacobi,memcpy,n=512,2,0.0021,0' 'jacobi,memcpy,n=512,4,0.0011,0' 'jacobi,inline,n=512,4,0.001,0' > few.csv; \
  gpuscale calibrate few.csv --base dgx-a100 -o fit.lua > out 2> why; \
  gpuscale report jacobi --system fit.lua --runs few.csv -P n=512 -o f.html 2> why; \
  sed -n '/What was measured/,/What to measure next/p' f.html > held; grep -c 'fitted to it' held; \
  grep -o 'No run of .* is left' held
3
No run of few.csv is left

# ---- moved by hand: each point of the grid in the one file
$ gpuscale report jacobi --system h200x8 --gpus 1,2,4 --over n=256..512,log,3 --over link.rate=50GB/s,450GB/s -o o.html; \
    ! command -v xmllint > found || xmllint --noout o.html; grep -c '<script' o.html; \
    grep -o -E '(src|href)="?[^"# >]*' o.html | sort -u; grep -o '"values": [^]]*' o.html; grep -o '"gpus": [^]]*' o.html; \
    grep -o 'section id="moves" hidden' o.html
1
href='
"values": [256, 362, 512
"values": [50000000000, 450000000000
"gpus": [1, 2, 4
section id="moves" hidden
# The first time, of zero-cost communication on one GPU, is that of predict: 8 bytes, the lowest first.
$ one=$(sed -n 's/^"time": "\([^"]*\)".*/\1/p' o.html | base64 -d | od -A n -t f8 -N 8); \
    two=$(gpuscale predict jacobi --system h200x8 --gpus 1 -P n=256 -P link.rate=50GB/s -p infinite -f csv | \
      awk -F, 'NR > 1 { print $6 }'); awk "BEGIN { print $one == $two }"
1
$ gpuscale report jacobi --system h200x8 --over n=1..9 --over link.rate=1GB/s..9GB/s --over link.latency=1us..2us --over a.b=1 -o x.html; \
    gpuscale report jacobi --system h200x8 --over gpus=1,2 -o x.html; \
    gpuscale report jacobi --system h200x8 --gpus 1-8 --over n=256..512,log,60 --over link.rate=1GB/s..9GB/s,300 -o x.html
gpuscale: report: at most 3 --over
gpuscale: report: --over gpus: list them with --gpus, they have a slider of their own
gpuscale: report: --over: 3456000 answers, a page takes 1000000: ask for fewer values, GPUs or paradigms
# The sliders begin where the page stands: its own value is among those of a range.
$ gpuscale report jacobi --system h200x8 --gpus 1,2 -p memcpy --over n=64..1024,log,4 --over link.rate=10GB/s..900GB/s,3 -o b.html; \
    sed -n 's/.*"asked": \([0-9]*\), "values": \(\[[^]]*\).*/\1 in \2/p' b.html
512 in [64, 161, 406, 512, 1024
450000000000 in [10000000000, 450000000000, 455000000000, 900000000000
# Neither a sign before a sign, nor 9e-15 of 100.
$ gpuscale report jacobi --system h200x8 --gpus 1-8 -P n=512 -o s.html; grep -c -e '+/- +' -e '[0-9]e-[0-9]* %' -e '[0-9]e+[0-9]* %' s.html
0
# Beyond what was measured the first sentence says so.
$ gpuscale report jacobi --system h200x8 --gpus 1-16 2> note | grep -o 'takes .* by rdl'
takes 33.76 us (+39/-28%, extrapolated) by rdl
