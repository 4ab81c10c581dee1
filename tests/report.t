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
    awk '/^ +8 / { print $2; print $3 " " $4; print $6; exit }' > said; \
  sed -n '/<p>/s/<[^>]*>//gp' r.html | sed 1q > first; \
  while IFS= read -r w; do grep -qF -e "$w" first || echo "no $w"; done < said
$ gpuscale explain jacobi --system h200x8 --gpus 8 -P n=512 | \
    sed -n '/^measure this next/,/^$/s/^  \(.*\): .*/\1/p' > next; wc -l < next; \
  sed -n '/What to measure next/,/How far/p' r.html | grep -o '<td>[^<]*</td>' > cells; \
  while IFS= read -r w; do grep -qF "<td>$w</td>" cells || echo "no $w"; done < next
3
# Every number, and no other; a row more is the headings'.
$ n=$(gpuscale explain jacobi --system h200x8 --gpus 8 -P n=512 -f csv | \
    grep -c ',number,'); sed -n '/Where each number/,/How this page/p' r.html | \
    grep -c '</tr>$' | grep -vx $((n + 1))
$ grep -o '<td>[0-9a-f]\{64\}</td>' r.html | sed 's/<[^>]*>//g' | sort > a; \
  for f in $SRC/lua/workloads/jacobi.lua $SRC/params/h200x8.lua; do \
    sha256sum < $f | cut -c 1-64; done | sort | comm -23 - a

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
