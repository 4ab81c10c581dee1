local t, s = { upsilon = 1, iota = 2, mu = 3, phi = 4, rho = 5, alpha = 6, omicron = 7, theta = 8 }, 0 for k, v in pairs(t) do s = s * 1.0001 + v print(k, v, s) end
local t, s = { phi = 1, beta = 2, zeta = 3, delta = 4, mu = 5, pi = 6, theta = 7, nu = 8, omega = 9, kappa = 10 }, 0 for k, v in pairs(t) do s = s * 1.0001 + v print(k, v, s) end
local t, s = { theta = 1, alpha = 2, eta = 3, xi = 4, iota = 5, zeta = 6, nu = 7, tau = 8, gamma = 9, pi = 10, kappa = 11, phi = 12 }, 0 for k, v in pairs(t) do s = s * 1.0001 + v print(k, v, s) end
local t, s = { omicron = 1, epsilon = 2, psi = 3, alpha = 4, phi = 5, eta = 6, tau = 7, zeta = 8, rho = 9, chi = 10, pi = 11, delta = 12, iota = 13, lambda = 14 }, 0 for k, v in pairs(t) do s = s * 1.0001 + v print(k, v, s) end
local t, s = { phi = 1, eta = 2, zeta = 3, psi = 4, nu = 5, kappa = 6, alpha = 7, mu = 8, xi = 9, gamma = 10, omicron = 11, epsilon = 12, beta = 13, chi = 14, upsilon = 15, sigma = 16 }, 0 for k, v in pairs(t) do s = s * 1.0001 + v print(k, v, s) end
local t, s = { upsilon = 1, chi = 2, lambda = 3, gamma = 4, kappa = 5, mu = 6, omega = 7, pi = 8, psi = 9, phi = 10, theta = 11, xi = 12, tau = 13, omicron = 14, alpha = 15, epsilon = 16, sigma = 17, zeta = 18 }, 0 for k, v in pairs(t) do s = s * 1.0001 + v print(k, v, s) end
local t, s = { mu = 1, nu = 2, alpha = 3, sigma = 4, xi = 5, omega = 6, psi = 7, chi = 8, omicron = 9, rho = 10, tau = 11, gamma = 12, kappa = 13, delta = 14, beta = 15, lambda = 16, theta = 17, phi = 18, epsilon = 19, eta = 20 }, 0 for k, v in pairs(t) do s = s * 1.0001 + v print(k, v, s) end
local t, s = { rho = 1, iota = 2, omicron = 3, delta = 4, tau = 5, mu = 6, kappa = 7, beta = 8, xi = 9, omega = 10, phi = 11, zeta = 12, psi = 13, sigma = 14, nu = 15, gamma = 16, lambda = 17, upsilon = 18, theta = 19, epsilon = 20, alpha = 21, chi = 22 }, 0 for k, v in pairs(t) do s = s * 1.0001 + v print(k, v, s) end
local t, k, v = { chi = 1, lambda = 2, kappa = 3, zeta = 4, gamma = 5, epsilon = 6, omega = 7, pi = 8, phi = 9, mu = 10, alpha = 11, beta = 12 } repeat k, v = next(t, k) print(k, v) until k == nil
local t, k, v = { upsilon = 1, sigma = 2, nu = 3, beta = 4, theta = 5, mu = 6, iota = 7, omicron = 8, xi = 9, gamma = 10, alpha = 11, lambda = 12 } repeat k, v = next(t, k) print(k, v) until k == nil
local t, k, v = { beta = 1, pi = 2, lambda = 3, eta = 4, epsilon = 5, tau = 6, upsilon = 7, xi = 8, delta = 9, gamma = 10, phi = 11, zeta = 12 } repeat k, v = next(t, k) print(k, v) until k == nil
local t, k, v = { epsilon = 1, beta = 2, xi = 3, kappa = 4, omega = 5, omicron = 6, zeta = 7, rho = 8, tau = 9, theta = 10, mu = 11, chi = 12 } repeat k, v = next(t, k) print(k, v) until k == nil
local t, k, v = { lambda = 1, pi = 2, iota = 3, kappa = 4, psi = 5, nu = 6, epsilon = 7, delta = 8, tau = 9, xi = 10, chi = 11, gamma = 12 } repeat k, v = next(t, k) print(k, v) until k == nil
local t = {} for i = 1, 200 do t[(i * 7919) % 1009] = i end for k, v in pairs(t) do print(k, v) end
local t = {} for i = 1, 200 do t[i / 3] = i end for k, v in pairs(t) do print(k, v) end
local t = { 1, 2, 3, x = 4, [10] = 5, [-1] = 6, [0.5] = 7 } for k, v in pairs(t) do print(k, v) end
local t = {} for i = 1, 60 do t['k' .. i] = i end for k in pairs(t) do t[k] = nil end print(next(t))
local t = {} for i = 1, 60 do t['k' .. i] = i end for k, v in pairs(t) do if v % 2 == 0 then t[k] = nil else print(k) end end
local t = {} for i = 1, 60 do t['k' .. i] = i end for k, v in pairs(t) do t[k] = v + 1 print(k, t[k]) end
local l = {} for i = 1, 500 do l[i] = { i % 3, i } end table.sort(l, function (a, b) return a[1] < b[1] end) for i = 1, 500 do print(l[i][2]) end
local l = {} for i = 1, 2000 do l[i] = (i * i) % 17 end table.sort(l, function (a, b) return a > b end) print(table.concat(l, ','))
local l = {} for i = 1, 300 do l[i] = i end local n = 0 table.sort(l, function (a, b) n = n + 1 return b < a end) print(n)
local l = {} for i = 1, 150 do l[i] = i % 5 end table.sort(l, function () return true end) print(table.concat(l, ' '))
local l = {} for i = 1, 150 do l[i] = i % 5 end local n = 0 table.sort(l, function (a, b) n = n + 1 return n % 3 == 0 end) print(table.concat(l, ' '))
local l = {} for i = 1, 200 do l[i] = 'x' .. i end table.sort(l) print(table.concat(l, ' '))
print(tostring({}))
print(tostring(print))
print(tostring(gs.phase))
print(string.format('%s', {}))
print(string.format('%p', {}))
print(string.format('%10p', 'abc'))
print(string.format('%s %s', 1, print))
print({})
print(print, gs)
local k = {} local t = { [k] = 1, [print] = 2 } for a, b in pairs(t) do print(b) end
print(next({ [true] = 1, [false] = 2 }))
error({})
error(print)
local t = {} t[{}] = 1 t.x = 2 print(next(t))
local f = function () end print(f == f, type(f), #tostring(1.5))
gs.predict { workload = 'jacobi', sistem = 1, gpu = 2, ways = 3, paradgm = 4 }
gs.predict { workload = 'jacobi', system = 'h200x8', set = { n = 64, m = 1, k = 2, q = 3 } }
for _, r in pairs(gs.predict { workload = 'jacobi', system = 'h200x8', gpus = 2, paradigm = 'memcpy' }) do for k, v in pairs(r) do print(k, v) end end
local set = {} for i, k in ipairs { 'n', 't1' } do set[k] = ({ 512, '4ms' })[i] end print(gs.predict { workload = 'jacobi', system = 'h200x8', gpus = 2, paradigm = 'memcpy', set = set }[1].time_s)
gs.phase { nme = 'x', kernl = 1, publsh = 2, blks = 3 }
gs.system { nme = 'x', gpuss = 1, lnk = 2, devce = 3, hst = 4, coppy = 5 }
for k, v in pairs(math) do print(k, type(v)) end
for k, v in pairs(string) do print(k, type(v)) end
for k, v in pairs(gs) do print(k, type(v)) end
for k, v in pairs(table) do print(k, type(v)) end
-- SPDX-License-Identifier: GPL-3.0-or-later
