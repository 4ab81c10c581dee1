-- reproduce.lua - the verb `reproduce`, which compares the printed results of data/published/
-- with ours by the recipes of lua/published/.  `plot printed` and `list figures` run here too.
-- cli/reproduce/recipes.c calls the function at the end.

local gs = require "gpuscale"

local DOCUMENTS = { "dissertation", "isca21", "micro21", "oden", "mpi-acc" }
-- Files run in this order, and each knows the constants of those before it.
local FILES = { "choices", "proact", "ct", "gps", "finepack", "oden", "mpi-acc" }
-- These documents and recipe files treat messages between nodes.
local BETWEEN = { "oden", "mpi-acc" }
local FIELDS = { "id", "place", "system", "quantity", "unit", "conditions", "relation", "value",
                 "tolerance", "machine", "program", "note", "class" }
-- Exit statuses.
local NO, DATA = 1, 3

local host, options, text -- from C, and the whole string library
local rows, row_of        -- of the documents, in their order and by id
local constants, settings -- declared by the files
local held                -- constants by name that replace those of the files, or nil
local now                 -- what the running recipe used
local file                -- the running file of recipes
local missing = {}        -- raised if a trace is missing

local function said (...) return text.format(...) end

local function is_among (word, list)
  for _, w in ipairs(list) do
    if w == word then return true end
  end
  return false
end

local function words (s)
  local list = {}
  for w in text.gmatch(s, "%S+") do list[#list + 1] = w end
  return list
end

local function has_word (s, word) return is_among(word, words(s)) end

-- Returns the number at the start of a text and the rest, or nil without a number.
local function number_in (s)
  for _, form in ipairs { "^[+-]?%d+%.?%d*[eE][+-]?%d+", "^[+-]?%d+%.?%d*", "^[+-]?%.%d+" } do
    local found = text.match(s, form)
    if found then return tonumber(found), text.sub(s, #found + 1) end
  end
end

local function copy (t)
  local c = {}
  for k, v in pairs(t) do c[k] = v end
  return c
end

-- ---- documents --------------------------------------------------------------------

local JUDGED = { structural = true, computed = true, predicted = true, fitted = true }
local CLASSES = { "structural", "computed", "predicted", "fitted", "conflict", "not-computable",
                  "input", "context" }
local RELATIONS = { "", "eq", "approx", "approx_below", "lt", "le", "gt", "ge", "best", "order" }

-- Reads a number like "3.6" or a range like "5-6"; words leave it nil.
local function read_value (r)
  local least, rest = number_in(r.value)
  local most = least
  if least and text.sub(rest, 1, 1) == "-" then
    local second, more = number_in(text.sub(rest, 2))
    most, rest = second or 0.0, more or text.sub(rest, 2)
  end
  if least and rest == "" then r.least, r.most = least, most end
end

local function check_row (r)
  local judged = JUDGED[r.class]
  local function wrong (...) host.refuse(r.at .. ": " .. said(...), DATA) end
  if not is_among(r.class, CLASSES) then wrong("class: '%s' is none", r.class) end
  if not is_among(r.relation, RELATIONS) then wrong("relation: '%s' is none", r.relation) end
  if judged and r.relation == "" then wrong("relation: needed, as the row is %s", r.class) end
  if judged and r.relation ~= "best" and r.relation ~= "order" and not r.least then
    wrong("value: '%s' is no number", r.value)
  end
  if row_of[r.id] then wrong("id: %s is given twice", r.id) end
end

-- Reads which rows count strictly and which of them should be met.
local function read_strict ()
  for _, s in ipairs(host.table("data/published/strict.csv",
      { "id", "counted", "expected", "class", "why", "least", "most" })) do
    local r = row_of[s.id]
    if not r then host.refuse(said("%s: id: no printed number '%.20s'", s.at, s.id), DATA) end
    r.counted, r.expected, r.reason = s.counted == "yes", s.expected == "yes", s.class
    -- This row is less strict, since another row of its chart was fitted.
    r.beside = text.find(s.why, "which was fitted", 1, true) ~= nil
    local least, most = number_in(s.least), number_in(s.most)
    if least and most and most > least then r.span_least, r.span_most = least, most end
  end
end

local function read_documents ()
  rows, row_of = {}, {}
  for _, document in ipairs(DOCUMENTS) do
    for _, r in ipairs(host.table("data/published/" .. document .. ".csv", FIELDS)) do
      r.document, r.reason, r.met = document, "", false
      read_value(r)
      check_row(r)
      rows[#rows + 1], row_of[r.id] = r, r
    end
  end
  read_strict()
end

-- ---- comparison -------------------------------------------------------------------

-- Returns how far ours may be below or above the printed number v.
local function slack (r, v, up)
  local t = r.tolerance
  if t == "round" then -- half a unit of the last digit
    return 0.5 * 10.0 ^ -#(text.match(r.value, "^[^.]*%.(%d*)") or "")
  end
  if text.sub(t, 1, 1) == "x" then
    local x = number_in(text.sub(t, 2)) or 0.0
    return up and v * (x - 1) or v * (1 - 1 / x)
  end
  local x, rest = number_in(t)
  return rest == "%" and math.abs(v) * x / 100 or x or 0.0
end

-- Returns the range in which ours meets a two-sided printed value.
local function range (r)
  local least, most = r.span_least or r.least, r.span_most or r.most
  return least - slack(r, least, false), most + slack(r, most, true)
end

local function meets (r)
  local nothing, ours = 1e-12, r.ours -- rounding error of doubles
  if r.relation == "best" then return ours <= 1 + slack(r, 1, true) end
  if r.relation == "order" then return ours >= 1 end
  if r.relation == "" or not r.least then return false end
  local least, most = range(r)
  least, most = least - nothing, most + nothing
  if r.relation == "approx_below" then return ours >= least and ours <= r.most + nothing end
  if r.relation == "lt" then return ours < r.least end
  if r.relation == "le" then return ours <= most end
  if r.relation == "gt" then return ours > r.most end
  if r.relation == "ge" then return ours >= least end
  return ours >= least and ours <= most
end

-- Returns whether a missing trace kept the row from being computed.
local function is_missing (r) return r.from ~= nil and not r.known end

local function verdict (r)
  if not (JUDGED[r.class] or r.counted) or is_missing(r) then return "" end
  return r.met and "yes" or "NO"
end

-- ---- our numbers -------------------------------------------------------------------

local function refuse (...) host.refuse(said(...)) end

local function row_named (id)
  if type(id) ~= "string" then id = "a value that is no id" end
  local r = row_of[id]
  if not r then refuse("no printed number '%.40s'", id) end
  return r
end

local function text_of (t, call, key)
  local v = t[key]
  if v ~= nil and type(v) ~= "string" then
    refuse("%s: %s: needs text, got a %s", call, key, type(v))
  end
  return v
end

local function needed (t, call, key)
  return text_of(t, call, key) or refuse("%s: needs a %s", call, key)
end

local function number_of (t, call, key)
  if type(t[key]) ~= "number" then refuse("%s: %s: needs a number", call, key) end
  return t[key]
end

local function add_constant (call, t)
  if type(t) ~= "table" then refuse("%s: needs a table", call) end
  local c = { name = needed(t, call, "name"), from = file }
  if constants[c.name] then refuse("%s: '%s' is there already", call, c.name) end
  constants[#constants + 1], constants[c.name] = c, c
  return c
end

-- Writes a value like "3 us", or a number without a unit; the unit "whole" rounds.
local function write_value (c)
  c.number = c.unit == "whole" or c.unit == ""
  local v = c.unit == "whole" and math.floor(c.value + 0.5) or c.value
  c.text = said("%.10g", v) .. (c.number and "" or " " .. c.unit)
end

-- Takes the presets in which a constant is the value of a key, "als:threads ct:threads".
local function take_preset (c, t, call)
  c.preset = text_of(t, call, "preset")
  if c.preset then c.key = needed(t, call, "key") end
end

-- Takes a constant from the file of its systems or its workload, or from the recipes.  The
-- first system's file must say that it was fitted.
local function take_value (c, t)
  c.system, c.workload = text_of(t, "gs.fit", "system"), text_of(t, "gs.fit", "workload")
  if c.system then
    c.key = needed(t, "gs.fit", "key")
    local system, key = words(c.system)[1], words(c.key)[1]
    local value, fitted, remote = host.system(system, key, c.unit)
    if not fitted then refuse("gs.fit: %s does not say that its %s was fitted", system, key) end
    c.value, c.remote = value, remote
  elseif c.workload then
    c.key = needed(t, "gs.fit", "key")
    c.value = host.workload(c.workload, c.key)
  else
    c.value = number_of(t, "gs.fit", "value")
  end
  take_preset(c, t, "gs.fit")
end

-- gs.fit { name =, value =, unit =, from =, to =, rows = "P-1 P-2" } declares a constant.
-- The fields `system` or `workload` with `key` replace the field `value`.
local function fit (t)
  local c = add_constant("gs.fit", t)
  c.fitted, c.unit = true, text_of(t, "gs.fit", "unit") or ""
  take_value(c, t)
  c.least, c.most = number_of(t, "gs.fit", "from"), number_of(t, "gs.fit", "to")
  c.rows, c.after = needed(t, "gs.fit", "rows"), text_of(t, "gs.fit", "after")
  for _, id in ipairs(words(c.rows)) do
    local r = row_named(id)
    if r.class ~= "fitted" then
      refuse("%s is classed %s, but a constant is fitted to it", r.id, r.class)
    end
  end
  if held and held[c.name] then c.value = held[c.name].value end
  write_value(c)
end

-- gs.choose { name =, value =, why =, other =, after = } declares a choice.
local function choose (t)
  local c = add_constant("gs.choose", t)
  needed(t, "gs.choose", "why")
  c.number = type(t.value) == "number"
  if not c.number and type(t.value) ~= "string" then
    refuse("gs.choose: value: needs a number or text")
  end
  c.text = tostring(t.value)
  c.other, c.after = text_of(t, "gs.choose", "other"), text_of(t, "gs.choose", "after")
  take_preset(c, t, "gs.choose")
  if held and held[c.name] then c.text = held[c.name].text end
end

local function constant (name)
  local c = constants[name]
  if not c then refuse("no constant '%.60s': lua/published/choices.lua", name) end
  if now then now.constants[c.name] = true end
  return c.number and tonumber(c.text) or c.text
end

local function printed (id)
  local r = row_named(id)
  return r.least or refuse("%s: '%s' is no number", r.id, r.value)
end

-- gs.setting { key =, from = } allows a setting and names the row or page that prints it.
local function setting (t)
  if type(t) ~= "table" then refuse("gs.setting: needs a table") end
  local key, from = text_of(t, "gs.setting", "key"), text_of(t, "gs.setting", "from")
  if not key or not from or from == "" then
    refuse("gs.setting: needs a key, and from where it is")
  end
  settings[key] = true
end

-- ---- questions ----------------------------------------------------------------------

local function begin_notes ()
  now = { machines = {}, programs = {}, constants = {}, questions = 0, lines = {} }
end

-- Adds the words of a comma-separated list to a set.
local function add_words (set, more)
  for w in text.gmatch(type(more) == "string" and more or "", "[^,]+") do set[w] = true end
end

local function sorted (set)
  local list = {}
  for k in pairs(set) do list[#list + 1] = k end
  table.sort(list)
  return list
end

local function is_of (c, q, workload)
  if c.preset then
    local study = text.match(q.preset or "", "^[^-]*") -- gps21-copies is of gps21
    return has_word(c.preset, study) and
           text.find(" " .. c.key, " " .. (workload or "") .. ":", 1, true) ~= nil
  end
  if c.workload then return c.workload == workload end
  return q.system ~= nil and c.system ~= nil and has_word(c.system, q.system)
end

-- Copies the question and adds the held values of keys that the recipe does not set.
local function with_held (q)
  local c = copy(q)
  c.set = copy(q.set or {})
  for _, k in ipairs(constants) do
    if is_of(k, q, q.workload) then
      for _, key in ipairs(words(k.key)) do
        local program, path = text.match(key, "^(%w+):(.*)")
        path = path or (k.remote and "remote." or "") .. key
        if (program or q.workload) == q.workload and c.set[path] == nil then
          c.set[path] = k.text
        end
      end
    end
  end
  return c
end

local function as_written (v)
  return type(v) == "number" and said("%.17g", v) or type(v) == "string" and v or nil
end

-- Writes a question as a command line.
local function question_of (q)
  local line = { "gpuscale predict " .. (as_written(q.workload) or "") }
  for _, key in ipairs { "system", "link", "gpus", "paradigm" } do
    local v = as_written(q[key])
    if v and v ~= "" then line[#line + 1] = "--" .. key .. " " .. v end
  end
  if q.preset then line[#line + 1] = "-P preset=" .. q.preset end
  if q.proposed then line[#line + 1] = "--proposed" end
  for key, v in pairs(type(q.set) == "table" and q.set or {}) do
    if type(v) == "boolean" then v = v and "yes" or "no" end
    v = key .. "=" .. (as_written(v) or "")
    line[#line + 1] = "-P " .. (text.find(v, " ", 1, true) and "'" .. v .. "'" or v)
  end
  return table.concat(line, " ")
end

-- Writes a replay as a command line.
local function replay_of (q)
  local line = "gpuscale replay " .. q.trace
  for _, key in ipairs(sorted(q)) do
    if key ~= "trace" then line = line .. " --" .. key .. " " .. tostring(q[key]) end
  end
  return line
end

-- Keeps each command line of a row once.
local function note_line (line)
  if not now.lines[line] then now.lines[#now.lines + 1], now.lines[line] = line, true end
end

-- Notes the constants of a question and the command line of a prediction.  Settings without
-- a gs.setting are refused.
local function note_question (q, predicts)
  local workload = predicts and q.workload or nil
  for key in pairs(type(q.set) == "table" and q.set or {}) do
    if type(key) == "string" and not settings[key] then
      refuse("sets '%.60s', for which no gs.setting says where it is printed", key)
    end
  end
  for _, c in ipairs(constants) do
    if is_of(c, q, workload) then now.constants[c.name] = true end
  end
  if predicts then
    local line = question_of(q)
    if line ~= now.question then now.questions = now.questions + 1 end
    now.question = line
    note_line(line)
  end
  q = held and with_held(q) or copy(q)
  if q.preset then
    q.set = copy(q.set or {})
    q.set.preset, q.preset = q.preset, nil
  end
  return q
end

-- Returns the same text for the same fields.
local function key_of (v)
  if type(v) ~= "table" then
    return type(v) == "string" and "'" .. v .. "'" or as_written(v) or tostring(v)
  end
  local list = {}
  for k, x in pairs(v) do list[#list + 1] = tostring(k) .. "=" .. key_of(x) end
  return "{" .. table.concat(list, ",") .. "}"
end

-- Keeps the answers, since recipes repeat many questions.
local function asked_once (ask)
  local answers = {}
  return function (q)
    now.modelled = true
    if type(q) ~= "table" then return ask(q) end
    local key = key_of(q)
    if not answers[key] then answers[key] = ask(q) end
    return answers[key]
  end
end

-- Adds the calls of recipes to those of scripts and notes their use.
local function extend ()
  local script = copy(gs)
  local function noted (f)
    return function (...)
      now.modelled = true
      return f(...)
    end
  end
  local predict_once, replay_once = asked_once(script.predict), asked_once(script.replay)

  function gs.predict (q)
    if type(q) ~= "table" then return script.predict(q) end
    add_words(now.machines, q.system)
    add_words(now.programs, q.workload)
    return predict_once(note_question(q, true))
  end
  function gs.remote (q)
    now.modelled = true
    if type(q) ~= "table" then return script.remote(q) end
    add_words(now.machines, q.system)
    return script.remote(note_question(q, false))
  end
  function gs.replay (q)
    if type(q) ~= "table" or type(q.trace) ~= "string" then return script.replay(q) end
    local c = copy(q)
    c.trace = options.traces .. "/" .. q.trace .. ".trace"
    note_line(replay_of(c))
    now.modelled = true
    add_words(now.programs, q.trace)
    if not host.exists(c.trace) then
      missing.trace = q.trace
      error(missing)
    end
    return replay_once(c)
  end
  gs.goodput, gs.equation = noted(script.goodput), {}
  for name, f in pairs(script.equation) do gs.equation[name] = host.keeping(noted(f)) end
  gs.printed, gs.fit, gs.choose, gs.constant, gs.setting =
    printed, fit, choose, constant, setting
  for name, f in pairs(gs) do
    if type(f) == "function" then gs[name] = host.keeping(f) end
  end
  return function () -- forgets the answers
    predict_once, replay_once = asked_once(script.predict), asked_once(script.replay)
  end
end

-- ---- recipes ------------------------------------------------------------------------

-- Returns the source text between `function () return` and `end` of a function.
local function quoted (f, lines)
  local first, last = host.lines(f)
  if not lines[last + 1] then return "" end
  local whole = table.concat(lines, "\n", first, last) .. "\n" .. text.sub(lines[last + 1], 1, 3)
  local how = text.match(whole, "function %(%)(.*)end")
  if not how then return "" end
  how = text.gsub(text.gsub(how, "^[ \n]*", ""), "^return ", "")
  how = text.gsub(text.gsub(how, "[ \n]+", " "), "^ ", "")
  return (text.gsub(text.sub(how, 1, 255), " $", ""))
end

local function lines_of (s)
  local list = {}
  for line in text.gmatch(s, "([^\n]*)\n?") do list[#list + 1] = line end
  return list
end

local function note_usage (r)
  local fitted, choices = {}, 0
  for _, c in ipairs(constants) do
    if now.constants[c.name] and c.fitted then fitted[#fitted + 1] = c.name end
    if now.constants[c.name] and not c.fitted then choices = choices + 1 end
  end
  r.modelled, r.questions, r.question = now.modelled, now.questions, now.question
  r.lines = now.lines
  r.machines = table.concat(sorted(now.machines), " ")
  r.programs = table.concat(sorted(now.programs), " ")
  r.constants, r.choices = table.concat(fitted, "; "), choices
end

local function cook (r, recipe, lines)
  if type(recipe) ~= "function" then refuse("%s: is a %s, not a function", r.id, type(recipe)) end
  if not JUDGED[r.class] and r.class ~= "conflict" then
    refuse("%s: is classed %s, but has a recipe", r.id, r.class)
  end
  r.how, r.from = quoted(recipe, lines), file
  begin_notes()
  local there, ours, detail, null = host.attempt(recipe)
  if not there then
    r.detail = "needs the trace " .. missing.trace
    return
  end
  if type(ours) ~= "number" then refuse("%s: gives a %s, not a number", r.id, type(ours)) end
  r.ours = ours
  r.detail = type(detail) == "string" and detail or nil
  r.null = type(null) == "number" and null or nil
  note_usage(r)
  r.known, r.met = true, meets(r)
end

-- Runs a file and returns its recipes and its lines.
local function follow (name)
  file = name
  begin_notes()
  local chunk, whole = host.load("lua/published/" .. name .. ".lua")
  local recipes = chunk()
  if type(recipes) ~= "table" then refuse("returns no table of recipes") end
  return recipes, lines_of(whole)
end

-- Fills in the rows of a file's recipes, or only one of the rows.
local function cook_file (name, only, strict)
  local recipes, lines = follow(name)
  for id, recipe in pairs(recipes) do
    local r = type(recipe) ~= "table" and row_named(id) -- a table is a figure
    if r and r.from and (not only or only == id) then
      refuse("%s: has a recipe elsewhere too", id)
    end
  end
  for _, r in ipairs(rows) do
    if (not only or only == r.id) and (not strict or r.counted) and recipes[r.id] ~= nil then
      cook(r, recipes[r.id], lines)
    end
  end
end

local ask_anew

local function begin_files ()
  constants, settings = {}, {}
  ask_anew()
end

local function forget (only)
  for _, r in ipairs(rows) do
    if not only or r.id == only then
      r.from, r.how, r.detail, r.known, r.met = nil, nil, nil, nil, false
    end
  end
end

-- Computes ours for the row `only`, or for all rows, and renews the constants.
local function cook_here (files, only, strict)
  begin_files()
  forget(only)
  for _, name in ipairs(files) do
    ask_anew()
    cook_file(name, only, strict)
  end
end

-- ---- processes -----------------------------------------------------------------------

local function written (v)
  if type(v) ~= "table" then return said("%q", v) end
  local list = {}
  for k, x in pairs(v) do list[#list + 1] = "[" .. said("%q", k) .. "]=" .. written(x) end
  return "{" .. table.concat(list, ",") .. "}"
end

local OURS = { "id", "from", "how", "detail", "known", "met", "ours", "null", "modelled",
               "questions", "question", "machines", "programs", "constants", "choices" }

-- Runs a file with the constants of those before it and returns its constants and rows.
local function cook_piece (n, strict)
  begin_files()
  for i = 1, n - 1 do follow(FILES[i]) end
  local before = #constants
  cook_file(FILES[n], nil, strict)
  local list = { "return {constants={" }
  for i = before + 1, #constants do list[#list + 1] = written(constants[i]) .. "," end
  list[#list + 1] = "},rows={"
  for _, r in ipairs(rows) do
    if r.from then
      local ours = {}
      for _, k in ipairs(OURS) do ours[k] = r[k] end
      list[#list + 1] = written(ours) .. ","
    end
  end
  list[#list + 1] = "}}"
  return list
end

-- Computes all rows and all constants.
local function cook_all (strict)
  begin_files()
  for _, piece in ipairs(host.pieces(#FILES, "cook", strict and "strict" or "")) do
    for _, c in ipairs(piece.constants) do constants[#constants + 1], constants[c.name] = c, c end
    for _, ours in ipairs(piece.rows) do
      for k, v in pairs(ours) do row_of[ours.id][k] = v end
    end
  end
end

local function is_fitted_to (c, id) return c.fitted and has_word(c.rows, id) end

-- Each judged row needs a recipe, and each fitted row needs a fitted constant.
local function check_recipes ()
  for _, r in ipairs(rows) do
    local fitted = r.class ~= "fitted"
    for _, c in ipairs(constants) do fitted = fitted or is_fitted_to(c, r.id) end
    if JUDGED[r.class] and not r.from then
      host.refuse(said("%s: is classed %s, but has no recipe", r.id, r.class), DATA)
    end
    if not fitted then
      host.refuse(said("%s: is classed fitted, but no constant is", r.id), DATA)
    end
  end
end

-- ---- worth ----------------------------------------------------------------------------

local WORTHS = { "sharp", "band", "inequality", "choice", "ordering", "stand-in", "fitted",
                 "repeat", "identity", "definition" }

-- A sharp range is within a fifth of the value to each side; 0 counts as 100 % or 1.
local function is_sharp (r)
  local scale = r.least ~= 0 and math.abs(r.least) or r.unit == "%" and 100 or 1
  local least, most = range(r)
  return 0.5 * (most - least) <= 0.2 * scale + 1e-12
end

-- Returns whether two texts have the same words in any order.
local function same_words (a, b)
  a, b = words(a), words(b)
  for _, w in ipairs(a) do
    if not is_among(w, b) then return false end
  end
  return #a == #b
end

local function is_as_named (r)
  return (r.machine == "" or same_words(r.machine, r.machines)) and
         (r.program == "" or same_words(r.program, r.programs))
end

-- Returns whether two rows of a file have the same expression or the same fractional number.
-- The number of an ordering does not count.
local function is_same (a, b)
  if a.from ~= b.from then return false end
  if a.how == b.how then return true end
  return b.relation ~= "order" and a.known and b.known and a.ours == b.ours and
         math.floor(a.ours) < a.ours
end

local function earlier (i)
  for k = 1, i - 1 do
    if JUDGED[rows[k].class] and is_same(rows[k], rows[i]) then return rows[k].id end
  end
end

local function worth_of (r)
  if not JUDGED[r.class] then return end
  if r.class == "structural" then return "definition" end
  if r.repeats then return "repeat" end
  if r.known and not r.modelled then return "identity" end
  if r.class == "fitted" then return "fitted" end
  if r.known and not is_as_named(r) then return "stand-in" end
  if r.relation == "best" then return "choice" end
  if r.relation == "order" then return "ordering" end
  if is_among(r.relation, { "lt", "le", "gt", "ge" }) then return "inequality" end
  return is_sharp(r) and "sharp" or "band"
end

local function fill_worths ()
  for i, r in ipairs(rows) do
    r.repeats = JUDGED[r.class] and earlier(i) or nil
    r.worth = worth_of(r)
  end
end

-- ---- strict count ---------------------------------------------------------------------

local function is_between (name) return is_among(name, BETWEEN) end

local function where (list, holds)
  local some = {}
  for _, r in ipairs(list) do
    if holds(r) then some[#some + 1] = r end
  end
  return some
end

local function is_met (r) return r.met end
local function number (list, key, value)
  return #where(list, function (r) return r[key] == value end)
end

local function count_strictly (between)
  local of = where(rows, function (r)
    return r.counted and is_between(r.document) == between
  end)
  local known = where(of, function (r) return not is_missing(r) end)
  local apart = where(known, function (r) return not r.beside end)
  return { all = #known, met = #where(known, is_met), unknown = #of - #known,
           apart = #apart, apart_met = #where(apart, is_met) }
end

local function percent (part, all) return all > 0 and 100 * part / all or 0 end

local function print_counted (between)
  local n = count_strictly(between)
  print(said("  %-22s%2d of %2d, %2.0f%%; where no row was fitted %d of %d",
    between and "between nodes" or "GPUs of a node", n.met, n.all, percent(n.met, n.all),
    n.apart_met, n.apart))
  if n.unknown > 0 then
    print(said("  %-22s%2d of %2d: traces are needed", "", n.unknown, n.all + n.unknown))
  end
end

local function print_strictly ()
  print("printed numbers met, of those that can be missed (data/published/strict.csv)")
  print_counted(false)
  print_counted(true)
  local list = {}
  for _, reason in ipairs { "construction", "words", "implied", "afterwards", "fitted",
                            "repeat" } do
    list[#list + 1] = said(" %s %d", reason, number(rows, "reason", reason))
  end
  print("  not counted, though two-sided\n   " .. table.concat(list, ",") .. "\n")
end

local function print_missed ()
  print(said("counted, and missed%24sprinted       ours", ""))
  for _, r in ipairs(rows) do
    if r.counted and not r.met and not is_missing(r) then
      local range_ = r.span_most and said("%g-%g", r.span_least, r.span_most) or
                     said("%.20s", r.value)
      print(said("  %-6s %-32.32s %9s %10.4g %.17s", r.id, r.quantity, range_, r.ours, r.unit))
      if r.detail then print("         " .. r.detail) end
    end
  end
  print("")
end

-- Prints the readings made after rows were seen, and the rows that they decide.
local function print_readings ()
  print("readings that rows may rest on, made after rows were seen")
  for _, c in ipairs(constants) do
    if c.after then print(said("  %s = %s; without it\n    %s", c.name, c.text, c.after)) end
  end
  print("\n`gpuscale reproduce all` has each row and the constants, `reproduce ID` how one\n" ..
        "came, `reproduce --perturb 20` which rows rest on each constant.")
end

local function say_strictly ()
  local inside, nodes = count_strictly(false), count_strictly(true)
  local unknown = inside.unknown + nodes.unknown
  host.say(said("Of the printed numbers that can be missed, ours meets %d of %d on GPUs of a " ..
    "node and %d of %d between nodes%s. `gpuscale reproduce ID` says how one came.",
    inside.met, inside.all, nodes.met, nodes.all,
    unknown > 0 and said("; %d more needs traces (`make traces`)", unknown) or ""),
    (inside.met + nodes.met) / (inside.all + nodes.all))
end

-- ---- score sheet ----------------------------------------------------------------------

-- Counts the rows of a document between nodes, or of all documents inside a node.
local function tally (document)
  local function counts (name)
    if document then return name == document end
    return not is_between(name)
  end
  local of = where(rows, function (r) return counts(r.document) end)
  local judged = where(of, function (r) return JUDGED[r.class] and r.class ~= "structural" end)
  local met, unknown = where(of, is_met), where(of, is_missing)
  local ours = where(constants, function (c) return counts(c.from) end)
  local null = 0
  for _, r in ipairs(of) do null = null + (r.worth == "choice" and r.null or 0) end
  return {
    class = function (class) return number(of, "class", class) end,
    rows = function (worth) return number(of, "worth", worth) end,
    met = function (worth) return number(met, "worth", worth) end,
    unknown = function (worth) return number(unknown, "worth", worth) end,
    judged = #judged, judged_met = #where(judged, is_met),
    unknown_judged = #where(judged, is_missing), null = null,
    fitted = number(ours, "fitted", true), choices = #ours - number(ours, "fitted", true),
  }
end

-- Each mark counts `more` uncomputed rows as met.
local function most_sharp (t, more) return 5 * (t.met "sharp" + more) >= 4 * t.rows "sharp" end
local function most_met (t, more) return 20 * (t.judged_met + more) >= 17 * t.judged end
local function few_constants (t, more) return 5 * t.fitted <= t.judged_met + more end

-- A mark stays open if uncomputed rows could still reach it.
local function mark (held_, possible)
  return held_ and "held" or possible and "open" or "MISSED"
end

local WORTH_SAYS = {
  sharp = "sharp: two-sided, distinct, not fitted",
  band = "  the same, but wider than a fifth",
  inequality = "  the same, but one side only",
  choice = "  one configuration of many",
  ["stand-in"] = "  on another machine or program",
  fitted = "fitted: a constant was chosen for it",
  ["repeat"] = "repeats: as an earlier row",
  identity = "identities: of printed numbers alone",
  definition = "definitions",
}

local function print_worths (t)
  print(said("\n%-44s rows   met", "score sheet"))
  for _, w in ipairs(WORTHS) do
    if WORTH_SAYS[w] then -- print_between() has orderings
      print(said("%-44s %4d  %4d", WORTH_SAYS[w], t.rows(w) - t.unknown(w), t.met(w)))
    end
  end
  print(said("conflicts %d, not computable %d, input %d, context %d", t.class "conflict",
    t.class "not-computable", t.class "input", t.class "context"))
  if t.rows "choice" > 0 then
    print(said("of all configurations %.0f%% would meet a choice", 100 * t.null / t.rows "choice"))
  end
end

local function print_marks (t)
  local met, sharp = t.met "sharp", t.rows "sharp" - t.unknown "sharp"
  local judged, more = t.judged - t.unknown_judged, t.unknown_judged
  print(said("\nsharp, distinct, unfitted predictions met: %d of %d, %.0f%%", met, sharp,
    percent(met, sharp)))
  print("  at least 40 of them: " .. mark(t.rows "sharp" >= 40, false))
  print("  at least 80% met: " .. mark(most_sharp(t, 0), most_sharp(t, t.unknown "sharp")))
  print(said("all but definitions met: %d of %d, %.0f%% (at least 85%%): %s", t.judged_met,
    judged, percent(t.judged_met, judged), mark(most_met(t, 0), most_met(t, more))))
  print(said("constants fitted: %d (at most a fifth of %d): %s", t.fitted, t.judged_met,
    mark(few_constants(t, 0), few_constants(t, more))))
  print(said("other numbers chosen by us: %d", t.choices))
  if more > 0 then
    print(said("not computed, for want of traces, and not counted: %d rows", more))
  end
end

-- Prints a line for each document on messages between nodes.  Orderings have their own mark,
-- eight of nine.
local function print_between ()
  print("\nbetween nodes  sharp          judged         orderings  fitted  chosen  marks")
  for _, document in ipairs(BETWEEN) do
    local t = tally(document)
    local orderings, ordered = t.rows "ordering", t.met "ordering"
    local judged, met = t.judged - orderings, t.judged_met - ordered
    local kept = 20 * met >= 17 * judged and 9 * ordered >= 8 * orderings and few_constants(t, 0)
    print(said("  %-11s %3d of %-3d %3.0f%%  %3d of %-3d %3.0f%%  %2d of %-2d %7d %7d  %s",
      document, t.met "sharp", t.rows "sharp", percent(t.met "sharp", t.rows "sharp"), met, judged,
      percent(met, judged), ordered, orderings, t.fitted, t.choices, mark(kept)))
  end
  print("  marks: 85% of those judged, 8 of 9 orderings, a fifth of the met fitted")
end

local function print_sheet ()
  local t = tally()
  print_worths(t)
  print_marks(t)
  print_between()
  print("\nconstants fitted, and to what")
  for _, c in ipairs(constants) do
    if c.fitted then print(said("  %s = %s: %s", c.name, c.text, c.rows)) end
  end
end

-- ---- rows -------------------------------------------------------------------------------

-- Each column has a name, and a heading if a table shows it.
local COLUMNS = {
  { "id", "id" }, { "document" }, { "place" }, { "system" }, { "quantity", "quantity" },
  { "conditions" }, { "relation" }, { "printed", "printed" }, { "unit", "unit" },
  { "tolerance" }, { "class", "class" }, { "ours", "ours", "number" }, { "detail" },
  { "met", "met" }, { "from" }, { "how", "how" }, { "note" }, { "worth", "worth" },
  { "null_share", false, "number" }, { "repeats" }, { "machine_named" }, { "machine_used" },
  { "program_named" }, { "program_used" }, { "constants" }, { "choices", false, "number" },
  { "question" },
}

local function shown (r)
  local c = copy(r)
  c.printed, c.met, c.null_share = r.value, verdict(r), r.null
  c.machine_named, c.machine_used = r.machine, r.machines
  c.program_named, c.program_used = r.program, r.programs
  c.choices = r.choices or 0
  if r.questions ~= 1 then c.question = nil end
  return c
end

local function print_rows (list)
  host.rows(list, COLUMNS, "gpuscale.reproduce/1")
end

local function lost ()
  local ids = {}
  for i, r in ipairs(where(rows, function (r)
    return r.expected and not r.met and not is_missing(r)
  end)) do ids[i] = r.id end
  return #ids > 0 and table.concat(ids, " ") or nil
end

-- A table without `all` has the count and the missed rows.  Tables omit inputs and context,
-- which the data files hold.
local function print_all ()
  local list, n = {}, #where(rows, is_missing)
  for _, r in ipairs(rows) do
    if not options.table or r.class ~= "input" and r.class ~= "context" then
      list[#list + 1] = shown(r)
    end
  end
  if n > 0 then
    host.note(said("%d rows need traces that are not there: `make traces` makes them, " ..
      "--traces DIR", n))
  end
  say_strictly()
  if options.table then print_strictly() end
  if options.table and not options.argument then
    print_missed()
    print_readings()
  else
    print_rows(list)
    if options.table then print_sheet() end
  end
  local ids = options.strict and lost()
  if ids then return NO, "expected to be met, and missed: " .. ids end
end

-- ---- row ----------------------------------------------------------------------------------

local function print_line (name, s)
  if s and s ~= "" then print(said("%-12s%s", name, s)) end
end

local function say_one (r)
  local v = verdict(r)
  host.say(said("%s, %s: printed %s %s%s%s.%s", r.id, r.quantity, r.value, r.unit,
    r.known and said(", ours %.4g", r.ours) or "",
    is_missing(r) and ", ours not known without traces" or
    v == "" and said(", not judged (%s)", r.class) or r.met and ", met" or ", missed",
    v == "NO" and " data/published/misses.csv has what is known of why." or ""),
    r.known and r.ours or nil)
end

local function print_one (r)
  for _, key in ipairs { "document", "place", "system", "conditions" } do
    print_line(key, r[key])
  end
  print_line("printed", said("%s%s%s %s%s", r.relation, r.relation ~= "" and " " or "", r.value,
    r.unit, r.tolerance ~= "" and " (tolerance: " .. r.tolerance .. ")" or ""))
  print_line("class", r.class)
  if r.known then print_line("ours", said("%.5g", r.ours)) end
  print_line(r.known and "that is" or "ours", r.detail)
  print_line("met", verdict(r))
  if r.reason ~= "" then
    print_line("strictly", (r.counted and "counts" or "not counted") .. ", " .. r.reason)
  end
  print_line("how", r.how)
  if r.from then print_line("from", "lua/published/" .. r.from .. ".lua") end
  print_line("note", r.note)
  print_line("machine", r.machines)
  print_line("programs", r.programs)
  for i, line in ipairs(r.lines or {}) do print_line(i == 1 and "asks" or "", line) end
  for _, c in ipairs(constants) do
    if is_fitted_to(c, r.id) then print_line("fitted", c.name .. " = " .. c.text) end
  end
end

local function show_one (r)
  say_one(r)
  if options.table then print_one(r) else print_rows { shown(r) } end
  if is_missing(r) and JUDGED[r.class] then
    return DATA, said("%s: %s; `make traces`, --traces DIR", r.id, r.detail)
  end
  if verdict(r) == "NO" and options.strict then return NO, r.id .. " is not met" end
end

-- ---- refit ----------------------------------------------------------------------------------

-- Returns the relative residual of ours, or a logarithm for places on logarithmic axes.
local function distance (r)
  local ratio = r.ours / (0.5 * (r.least + r.most))
  return text.sub(r.tolerance, 1, 1) == "x" and math.log(ratio) or ratio - 1
end

-- Minimizes f(x) by a grid over the logarithm of x and golden sections around its best point.
-- Several equal minima give their middle.
local function minimum (f, least, most)
  local GRID, golden = 32, (math.sqrt(5) - 1) / 2
  local function at (i) return math.exp(math.log(least) + math.log(most / least) * i / GRID) end
  local y, first, last = {}, 0, 0
  for i = 0, GRID do
    y[i] = f(at(i))
    if y[i] < y[first] then first = i end
  end
  last = first
  while last < GRID and y[last + 1] <= y[first] do last = last + 1 end
  if first < last or first == 0 or last == GRID then return math.sqrt(at(first) * at(last)) end
  local a, b = math.log(at(first - 1)), math.log(at(first + 1))
  while b - a > 1e-6 do
    local c, d = b - golden * (b - a), a + golden * (b - a)
    if f(math.exp(c)) < f(math.exp(d)) then b = d else a = c end
  end
  return math.exp(0.5 * (a + b))
end

-- Returns the sum of squared residuals for a value of the constant.
local function misfit (c, value)
  local sum = 0
  c.value = value
  for _, id in ipairs(words(c.rows)) do
    cook_here(FILES, id)
    local d = row_of[id].known and distance(row_of[id]) or 0
    sum = sum + d * d
  end
  return sum < math.huge and sum or math.huge
end

-- Fits each constant only to the rows it names, in rounds, as constants depend on one another.
-- A choice between two readings is not fitted.
local function refit (only)
  cook_here(FILES, only)
  local all = constants
  held = all
  for _ = 1, 4 do
    local most = 0
    for _, c in ipairs(all) do
      if c.fitted and c.least < c.most and (not only or is_fitted_to(c, only)) then
        local before = c.value
        c.value = minimum(function (v) return misfit(c, v) end, c.least, c.most)
        most = math.max(most, math.abs(c.value / before - 1))
      end
    end
    if most <= 1e-3 then break end
  end
  cook_here(FILES, only)
  held = nil
end

-- ---- perturbation -----------------------------------------------------------------------------

-- Perturbs a constant by a share: a whole number moves by at least one, a text changes to
-- its alternative.  Returns nil if there is no other value.
local function moved (c, share)
  local to = copy(c)
  if c.fitted then
    if c.least >= c.most then return end -- a choice of two readings
    to.value = c.value * (1 + share)
    to.text = said("%.4g", to.value) .. (c.unit ~= "" and " " or "") .. c.unit
    return to
  end
  if c.other then
    to.text = c.other
    return share > 0 and to or nil -- a text changes only once
  end
  local v, rest = number_in(c.text)
  if not v then return end
  local value = v * (1 + share)
  if rest == "" and v == math.floor(v) then
    value = math.floor(value + 0.5)
    if value == v then value = v + (share < 0 and -1 or 1) end
  end
  to.text = said("%.6g", value) .. rest
  return to
end

-- Returns the n-th trial: each constant moves up, then down.
local function trial_of (list, n)
  local c = list[(n + 1) // 2]
  return c, moved(c, (n % 2 == 1 and 1 or -1) * options.perturb)
end

-- Returns which counted rows are met with one constant perturbed.  The constants of choices.lua
-- hold inside a node; the other files have their own.
local function cook_trial (n, list)
  local c, to = trial_of(list, n)
  if not to then return { "return {}" } end
  local files, met = {}, {}
  for _, name in ipairs(FILES) do
    if name == c.from or name == FILES[1] or c.from == FILES[1] and not is_between(name) then
      files[#files + 1] = name
    end
  end
  held = {}
  for _, k in ipairs(list) do held[k.name] = k end
  held[c.name] = to
  cook_here(files, nil, true)
  for _, r in ipairs(rows) do
    if r.counted and r.known then met[r.id] = r.met end
  end
  return { "return " .. written(met) }
end

local PERTURBED = {
  { "constant", "constant" }, { "kind", "kind" }, { "value", "value" },
  { "moved_to", "moved to" }, { "lost", "lost", "integer" }, { "gained", "gained", "integer" },
  { "rows_lost", "rows lost" }, { "rows_gained", "rows gained" },
}

local function compared (c, to, met)
  local lost_, gained = {}, {}
  for _, r in ipairs(rows) do
    if met and met[r.id] ~= nil and met[r.id] ~= r.met then
      local list = r.met and lost_ or gained
      list[#list + 1] = r.id
    end
  end
  return { constant = c.name, kind = c.fitted and "fitted" or "chosen", value = c.text,
           moved_to = to.text .. (met and "" or ": refused"), lost = #lost_, gained = #gained,
           rows_lost = table.concat(lost_, " "), rows_gained = table.concat(gained, " ") }
end

local function perturb ()
  cook_all(true)
  local list, all = {}, {}
  for i, c in ipairs(constants) do all[i] = c end
  local trials = host.pieces(2 * #all, "trial", "return " .. written(all))
  for i, met in ipairs(trials) do
    local c, to = trial_of(all, i)
    if to then list[#list + 1] = compared(c, to, met) end
  end
  host.rows(list, PERTURBED, "gpuscale.perturb/1")
end

-- ---- figures ------------------------------------------------------------------------------------

-- Returns the figure's table with its points in `points`.
local function figure_named (name)
  local figure
  begin_files()
  for _, f in ipairs(FILES) do
    local found = not figure and follow(f)[name]
    if type(found) == "table" then
      begin_notes()
      figure = found
      local there, points = host.attempt(figure.rows)
      if not there then
        host.refuse(said("figure %s: needs the trace %s; `make traces`, --traces DIR", name,
          missing.trace), DATA)
      end
      figure.points = points
    end
  end
  return figure or host.refuse(said("no figure '%.40s'; see `gpuscale list figures`", name), DATA)
end

local MARKS = { { "figure" }, { "series", "series" }, { "kind", "kind" },
                { "category", "category" }, { "x", "x", "number" }, { "y", "y", "number" } }

local function print_figure (name)
  local figure, list = figure_named(name), {}
  for _, p in ipairs(figure.points) do
    local i = math.floor(math.max(0, p[2] - 1)) + 1
    list[#list + 1] = { figure = name, series = p[1], kind = p[4] and "printed" or "ours",
      category = figure.categories and figure.categories[i] or "", x = p[2], y = p[3] }
  end
  host.rows(list, MARKS, "gpuscale.figure/1")
end

local function list_figures ()
  local list = {}
  begin_files()
  for _, f in ipairs(FILES) do
    for name, figure in pairs(follow(f)) do
      if type(figure) == "table" then
        list[#list + 1] = { name = name, title = figure.title or "" }
      end
    end
  end
  host.rows(list, { { "name", "name" }, { "title", "title" } }, "gpuscale.figures/1")
end

-- Quotes a text for gnuplot.
local function quote (s) return "'" .. text.gsub(s, "'", "''") .. "'" end

-- Each paradigm has the same line type in all figures; other series take the next free ones.
local function line_types (series)
  local LINE_TYPES, types, taken, next_ = 18, {}, {}, 1
  for i, name in ipairs(series) do
    types[i] = host.paradigm(name)
    if types[i] and types[i] >= LINE_TYPES then types[i] = nil end
    if types[i] then taken[types[i]] = true end
  end
  for i in ipairs(series) do
    if not types[i] then
      for _ = 1, LINE_TYPES do
        if taken[next_] then next_ = (next_ + 1) % LINE_TYPES end
      end
      types[i], taken[next_] = next_, true
    end
  end
  return types
end

-- Adds the points of each series, either ours or the printed ones, and returns their number.
local function add_points (list, figure, series, name, is_printed)
  local all = 0
  list[#list + 1] = "$" .. name .. " << end_of_data\n"
  for _, s in ipairs(series) do
    local n = 0
    for _, p in ipairs(figure.points) do
      if p[1] == s and (p[4] ~= nil) == is_printed then
        list[#list + 1] = said(" %.17g %.17g\n", p[2], p[3])
        n = n + 1
      end
    end
    list[#list + 1] = (n == 0 and "NaN NaN\n" or "") .. "\n\n"
    all = all + n
  end
  list[#list + 1] = "end_of_data\n"
  return all
end

-- Returns the gnuplot script of a figure with our curves and the printed points.
local function draw_figure (name)
  local figure, series, is_there = figure_named(name), {}, {}
  local title = name .. ": " .. (figure.title or "")
  for _, p in ipairs(figure.points) do
    if not is_there[p[1]] then series[#series + 1], is_there[p[1]] = p[1], true end
  end
  local types, log, categories = line_types(series), figure.log or "", figure.categories or {}
  local list = {
    said("title_text = %s\nx_text = %s\ny_text = %s\n", quote(title), quote(figure.x or ""),
      quote(figure.y or "")),
    said("log_x = %d\nlog_y = %d\n", text.find(log, "x") and 1 or 0,
      text.find(log, "y") and 1 or 0),
    said("curves = %d\narray name[%d]\narray type[%d]\n", #series, #series, #series),
  }
  for i, s in ipairs(series) do
    list[#list + 1] = said("type[%d] = %d\nname[%d] = %s\n", i, types[i] + 1, i, quote(s))
  end
  list[#list + 1] = said("categories = %d\n", #categories)
  if #categories > 0 then
    local tics = {}
    for i, c in ipairs(categories) do tics[i] = said("%s %d", quote(c), i) end
    list[#list + 1] = said("set xtics (%s) rotate by 40 right\nset xrange [0.4:%d.6]\n",
      table.concat(tics, ", "), #categories)
  end
  add_points(list, figure, series, "ours", false)
  local stated = add_points(list, figure, series, "stated", true)
  list[#list + 1] = said("printed = %d\n", stated)
  return list, title
end

-- ---- request --------------------------------------------------------------------------------------

local function print_asked ()
  local id = options.argument
  if id and text.find(id, ".", 1, true) then return print_figure(id) end
  if options.perturb > 0 then return perturb() end
  if id == "all" then id = nil end
  if id and not row_of[id] then return DATA, said("no printed number '%.40s'", options.argument) end
  if options.refit then refit(id)
  elseif id then cook_here(FILES, id)
  else cook_all() end
  if id then return show_one(row_of[id]) end
  check_recipes()
  fill_worths()
  return print_all()
end

return function (what, of, told, host_)
  host, options, text = host_, host_.options, host_.string
  ask_anew = extend()
  read_documents()
  if what == "list" then return list_figures() end
  if what == "draw" then return draw_figure(of) end
  if what == "cook" then return cook_piece(tonumber(of), told == "strict") end
  if what == "trial" then return cook_trial(tonumber(of), host.value(told)) end
  return print_asked()
end
-- SPDX-License-Identifier: GPL-3.0-or-later
