"""notebook_cells.py NOTEBOOK... - runs the cells of notebooks without Jupyter, and prints what shows
something other than the notebook has: a line of each table or text, and figures by their texts."""
import ast
import contextlib
import io
import json
import os
import re
import sys

# Ticks and the order of texts are gnuplot's.
shown_svg = lambda svg: sorted({s.strip() for s in re.findall(r">([^<>]*[A-Za-z]{4}[^<>]*)</text>", svg)})
for path in sys.argv[1:]:
    scope = {}
    os.chdir(os.path.dirname(path))
    for cell in (c for c in json.load(open(path))["cells"] if c["cell_type"] == "code"):
        code, said, value = ast.parse("".join(cell["source"])), io.StringIO(), None
        last = code.body.pop() if isinstance(code.body[-1], ast.Expr) else None
        with contextlib.redirect_stdout(said):
            exec(compile(code, path, "exec"), scope)
            value = eval(compile(ast.Expression(last.value), path, "eval"), scope) if last else None
        kept = {k: "".join(v) for o in cell["outputs"] for k, v in (o.get("data") or {"text": o.get("text")}).items()}
        now = {"text": said.getvalue()}
        if hasattr(value, "_repr_html_"):
            now["text/html"] = value._repr_html_()
        if hasattr(value, "_repr_svg_"):
            kept["image/svg+xml"], now["image/svg+xml"] = shown_svg(kept.get("image/svg+xml", "")), shown_svg(value._repr_svg_())
        for kind, text in now.items():
            if text and text != kept.get(kind):
                print(f"{os.path.basename(path)}: {''.join(cell['source'])[:60]!r} shows another {kind}")
