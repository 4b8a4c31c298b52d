"use strict";
// The cost model of docs/model.md, section 4, on the draws that the page carries; it mirrors simulator/model.
const model = (() => {
  const HOURS_PER_WEEK = 168, HOURS_PER_MONTH = 730;

  function unpack(base64, size) {
    const bytes = Uint8Array.from(atob(base64.trim()), (c) => c.charCodeAt(0));
    const all = new Float32Array(bytes.buffer);
    return Array.from({ length: all.length / size }, (_, i) => all.subarray(i * size, (i + 1) * size));
  }

  // Smallest count k with P(Poisson(mean) <= k) >= u.
  function poisson(mean, u) {
    if (!(mean > 0)) return 0;
    if (mean > 600) return Math.max(0, Math.round(cornishFisher(mean, u)));
    let k = 0, p = Math.exp(-mean), reached = p;
    while (u > reached && (p > 1e-17 || k < mean)) {
      k += 1;
      p *= mean / k;
      reached += p;
    }
    return k;
  }

  function cornishFisher(mean, u) {
    const z = score(u);
    return mean + Math.sqrt(mean) * z + (z * z - 1) / 6;
  }

  // Normal quantile: Acklam's rational approximation, relative error below 1.2e-9.
  function score(p) {
    const a = [-39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269, -30.66479806614716, 2.506628277459239];
    const b = [-54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572, 1];
    const c = [-0.007784894002430293, -0.3223964580411365, -2.400758277161838, -2.549732539343734, 4.374664141464968, 2.938163982698783];
    const d = [0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416, 1];
    const poly = (k, x) => k.reduce((sum, each) => sum * x + each, 0);
    if (p < 0.02425) {
      const q = Math.sqrt(-2 * Math.log(p));
      return poly(c, q) / poly(d, q);
    }
    if (p > 1 - 0.02425) return -score(1 - p);
    const q = p - 0.5, r = q * q;
    return (poly(a, r) * q) / poly(b, r);
  }

  // Values of every input in every draw, after the sliders: {input: {scale} or {set}, and a cap}.
  function inputs(doc, columns, moves) {
    const found = {};
    for (const [name, source] of Object.entries(doc.inputs)) {
      const move = moves[name] || {};
      const values = new Float64Array(doc.size);
      if (source.column === undefined) values.fill(source.value);
      else values.set(columns[source.column]);
      if (move.set !== undefined) values.fill(move.set);
      if (move.scale !== undefined) {
        const cap = move.cap === null || move.cap === undefined ? Infinity : move.cap;
        for (let i = 0; i < doc.size; i++) values[i] = Math.min(values[i] * move.scale, cap);
      }
      found[name] = values;
    }
    return found;
  }

  function pflopHours(doc, at, i) {
    const w = doc.workload;
    if (w.pflop_hours) return at[w.pflop_hours][i];
    if (w.baseline_hours) {
      const peak = at[doc.options[doc.baseline].keys.peak_pflops][i];
      return at[w.baseline_hours][i] * peak * at[w.baseline_utilization][i];
    }
    return ((6 * at[w.parameters][i] + 12 * doc.shape) * at[w.tokens][i]) / 3.6e18;
  }

  function work(doc, columns, at, option, i) {
    const get = (key) => at[option.keys[key]][i], n = option.instances;
    const hours = option.keys.tokens_per_second
      ? at[doc.workload.tokens][i] / (3600 * get("tokens_per_second") * get("scaling_efficiency"))
      : pflopHours(doc, at, i) / (get("peak_pflops") * get("utilization") * get("scaling_efficiency"));
    const stopped = (get("faults_per_1000h") * n) / 1000, most = get("unworkable");
    const share = stopped * get("hours_lost_per_fault"), workable = share < most;
    const lost = workable ? get("hours_lost_per_fault") : most / stopped;
    const mean = (get("faults_per_1000h") * hours) / (1 - Math.min(share, most)) / 1000;
    const faults = option.faults === null ? mean : poisson(mean, columns[option.faults][i]);
    const wall = (get("recompiles") * get("compile_minutes")) / 60;
    const failing = faults * n * lost, compiling = get("compile_idle") * n * wall;
    const billed = hours + failing + compiling;
    const weeks = get("delay_weeks") + ((hours + failing) / n + wall) / HOURS_PER_WEEK;
    return { hours, failing, compiling, wall, billed, weeks, workable };
  }

  const stranded = (doc, at, option, i) =>
    at[option.commitment.hours][i] * at[option.keys.price][i] * (1 - at[option.keys.discount][i]) * (1 - at[option.commitment.resale][i]);

  function rent(at, option, i, billed) {
    const price = at[option.keys.price][i], paid = price * (1 - at[option.keys.discount][i]);
    if (!option.commitment) return { used: billed * paid, unused: 0 };
    const committed = at[option.commitment.hours][i], beyond = Math.max(billed - committed, 0), within = billed - beyond;
    return { used: within * paid + beyond * price, unused: (committed - within) * paid * (1 - at[option.commitment.resale][i]) };
  }

  // Components of an option that goes through, in the order of `parts`.
  const parts = ["rent_productive", "rent_faults", "rent_compiling", "unused_commitment", "sunk", "labour", "schedule", "other"];
  function through(doc, at, name, done, weeksBaseline, i) {
    const option = doc.options[name], get = (key) => at[option.keys[key]][i];
    const paid = rent(at, option, i, done.billed), rate = done.billed > 0 ? paid.used / done.billed : 0;
    let sunk = 0, other = 0;
    for (const [each, o] of Object.entries(doc.options))
      if (each !== name && o.commitment && o.commitment.signed === "already") sunk += stranded(doc, at, o, i);
    for (const [per, input] of option.other)
      other += at[input][i] * (per === "amount" ? 1 : per === "per_week" ? done.weeks : done.billed);
    const upkeep = get("upkeep_hours_per_month") * done.weeks * (HOURS_PER_WEEK / HOURS_PER_MONTH);
    const labour = at[doc.rates[0]][i] * (get("engineer_hours") + get("compile_attention") * done.wall + upkeep);
    const schedule = at[doc.rates[1]][i] * (done.weeks - weeksBaseline);
    return [rate * done.hours, rate * done.failing, rate * done.compiling, paid.unused, sunk, labour, schedule, other];
  }

  function trialRent(doc, at, option, i) {
    const hours = at[option.keys.trial_instance_hours][i], bound = option.commitment;
    if (bound && bound.signed === "after_trial") return hours * at[option.keys.price][i];
    const paid = rent(at, option, i, hours), whole = paid.used + paid.unused;
    return bound && bound.signed === "already" ? whole - stranded(doc, at, option, i) : whole;
  }

  // Costs of the baseline and of one candidate in every draw, and the mean of each component.
  function costs(doc, columns, moves, name) {
    const at = inputs(doc, columns, moves), n = doc.size, base = doc.options[doc.baseline], option = doc.options[name];
    const out = { stay: new Float64Array(n), through: new Float64Array(n), blocked: new Float64Array(n), goes: new Float64Array(n),
                  stayParts: [], moveParts: [] };
    for (const list of [out.stayParts, out.moveParts]) for (let k = 0; k < parts.length; k++) list.push(new Float64Array(n));
    for (let i = 0; i < n; i++) {
      const staying = work(doc, columns, at, base, i), moving = work(doc, columns, at, option, i);
      const stayParts = through(doc, at, doc.baseline, staying, staying.weeks, i);
      const moveParts = through(doc, at, name, moving, staying.weeks, i);
      const get = (key) => at[option.keys[key]][i];
      out.stay[i] = stayParts.reduce((a, b) => a + b, 0);
      out.through[i] = moveParts.reduce((a, b) => a + b, 0);
      const effort = get("blocked_spent") * (at[doc.rates[0]][i] * get("engineer_hours") + at[doc.rates[1]][i] * get("delay_weeks"));
      out.blocked[i] = effort + trialRent(doc, at, option, i) + out.stay[i];
      out.goes[i] = moving.workable ? 1 - get("blocked") : 0;
      stayParts.forEach((x, k) => { out.stayParts[k][i] = x; });
      moveParts.forEach((x, k) => { out.moveParts[k][i] = x; });
    }
    out.at = at;
    return out;
  }

  // Per-draw values whose means are the figures; luck of being blocked is averaged over.
  function perDraw(c, hurdle) {
    const n = c.stay.length, beats = new Float64Array(n), saving = new Float64Array(n), move = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      const g = c.goes[i], least = hurdle * c.stay[i], go = c.stay[i] - c.through[i], back = c.stay[i] - c.blocked[i];
      beats[i] = g * (go > least) + (1 - g) * (back > least);
      saving[i] = g * go + (1 - g) * back;
      move[i] = g * c.through[i] + (1 - g) * c.blocked[i];
    }
    return { beats, saving, move, stay: c.stay };
  }

  const mean = (x, w) => {
    let sum = 0, total = 0;
    for (let i = 0; i < x.length; i++) { const k = w ? w[i] : 1; sum += k * x[i]; total += k; }
    return sum / total;
  };

  // Mean of f with its standard error from the replicates. Without weights the run's own figure for the unmoved
  // sliders (f0 has mean e0) is a control variate: at rest the answer is the run's.
  function estimate(f, f0, e0, replicates, w) {
    const size = f.length / replicates;
    if (w) {
      const pooled = mean(f, w), left = [];
      for (let r = 0; r < replicates; r++) {
        let sum = 0, total = 0;
        for (let i = 0; i < f.length; i++) if (Math.floor(i / size) !== r) { sum += w[i] * f[i]; total += w[i]; }
        left.push(sum / total);
      }
      const middle = left.reduce((a, b) => a + b, 0) / replicates;
      const spread = left.reduce((a, b) => a + (b - middle) ** 2, 0);
      return { value: pooled, mcse: Math.sqrt(((replicates - 1) / replicates) * spread) };
    }
    const m = mean(f), m0 = mean(f0);
    let both = 0, own = 0;
    for (let i = 0; i < f.length; i++) { both += (f[i] - m) * (f0[i] - m0); own += (f0[i] - m0) ** 2; }
    const beta = own > 0 && e0 ? both / own : 0, middles = [];
    for (let r = 0; r < replicates; r++) {
      let sum = 0;
      for (let i = r * size; i < (r + 1) * size; i++) sum += f[i] - beta * f0[i];
      middles.push(sum / size);
    }
    const middle = middles.reduce((a, b) => a + b, 0) / replicates;
    const spread = middles.reduce((a, b) => a + (b - middle) ** 2, 0) / (replicates - 1) / replicates;
    const value = e0 ? m + beta * (e0[0] - m0) : m;
    return { value, mcse: Math.sqrt(spread + (e0 ? (beta * e0[1]) ** 2 : 0)) };
  }

  // Savings (or shares) of both branches, sorted, with the weight reached up to each; weights add up to 1.
  function spread(c, w, share) {
    const n = c.stay.length, total = w ? w.reduce((a, b) => a + b, 0) : n;
    const value = new Float64Array(2 * n), weight = new Float64Array(2 * n), order = new Uint32Array(2 * n);
    for (let i = 0; i < n; i++) {
      const k = (w ? w[i] : 1) / total, scale = share ? 1 / c.stay[i] : 1;
      value[2 * i] = (c.stay[i] - c.through[i]) * scale;
      value[2 * i + 1] = (c.stay[i] - c.blocked[i]) * scale;
      weight[2 * i] = k * c.goes[i];
      weight[2 * i + 1] = k * (1 - c.goes[i]);
    }
    let size = 0;
    for (let i = 0; i < 2 * n; i++) if (weight[i] > 0) order[size++] = i;
    const sorted = order.subarray(0, size).sort((a, b) => value[a] - value[b]);
    const values = new Float64Array(size), reached = new Float64Array(size);
    let sum = 0;
    for (let i = 0; i < size; i++) {
      values[i] = value[sorted[i]];
      sum += weight[sorted[i]];
      reached[i] = sum;
    }
    return { values, reached };
  }

  // Number of values at or below x.
  function rank(points, x) {
    let low = 0, high = points.values.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (points.values[middle] <= x) low = middle + 1; else high = middle;
    }
    return low;
  }

  // Weight of the values at or below x.
  function below(points, x) {
    const count = rank(points, x);
    return count > 0 ? points.reached[count - 1] : 0;
  }

  function tailMean(points, level) {
    let before = 0, sum = 0;
    for (let i = 0; i < points.values.length && before < level; i++) {
      const upto = Math.min(points.reached[i], level);
      sum += (upto - before) * points.values[i];
      before = upto;
    }
    return sum / level;
  }

  function quantile(points, level) {
    const i = points.reached.findIndex((each) => each >= level - 1e-12);
    return i < 0 ? points.values[points.values.length - 1] : points.values[i];
  }

  // Weights of the draws when an input was measured at a value with a normal error.
  function measured(values, at, error) {
    return Float64Array.from(values, (x) => Math.exp(-(((x - at) / error) ** 2) / 2));
  }

  // Kish's effective number of draws.
  function effective(w) {
    let sum = 0, squares = 0;
    for (const each of w) { sum += each; squares += each * each; }
    return squares > 0 ? (sum * sum) / squares : 0;
  }

  return { unpack, poisson, score, costs, perDraw, estimate, spread, below, tailMean, quantile, measured, effective, mean, parts };
})();
