"""Directives in their canonical spelling: every directive and clause, every form of an argument."""

from __future__ import annotations

CANONICAL = """
target
target map(tofrom: a[0:n], b[:m], c[l:], d[:], e[0:n:2], f[i][0:n])
target map(a, b) map(to: *p, p->q.r[0:n], (*s).x, a[i].b[0:n], this[:1], (T *)q)
target map(always, close, present, to: x) map(mapper(id), always, from: y) map(release_me)
target map(iterator(it=0:n), tofrom: l[it][:1]) map(present: z) map(storage: u)
target map(to: (([n][m])p)[0:n][0:m]) map(to: c ? a : b)
target if(target: n > 100) device(ancestor: 1) nowait depend(in: x, y[0:n]) depend(out: z)
target if(a ? b : c) device(d) thread_limit(64) private(i) firstprivate(j, ns::k, ::g, this->m)
target defaultmap(tofrom: scalar) defaultmap(none: pointer) defaultmap(present: aggregate)
target defaultmap(none: all) is_device_ptr(p) has_device_addr(q[0:n]) in_reduction(+: s)
target uses_allocators(a, b(traits)) allocate(allocator(a), align(64): x) private(x)
target uses_allocators(memspace(m), traits(t): c) ompx_dyn_cgroup_mem(1024)
target firstprivate(target: x)
target teams num_teams(4) thread_limit(128) default(none) shared(a, b) reduction(+: x)
target teams num_teams(2:8) ompx_bare
target teams ompx_attribute(__attribute__((launch_bounds(128)))) ompx_attribute([[clang::noinline]])
target teams distribute parallel for collapse(2) schedule(static, 1) num_threads(128) nowait
target teams distribute parallel for simd simdlen(8) safelen(16) aligned(p, q: 64) lastprivate(conditional: x)
target teams distribute parallel for if(target: a) if(parallel: b) dist_schedule(static, 64) map(to: a)
target teams loop bind(teams) order(concurrent) private(t)
target parallel for schedule(monotonic, simd: dynamic, f(a, b)) order(reproducible: concurrent)
target parallel for schedule(nonmonotonic: guided) ordered(2) proc_bind(close)
target data map(to: a) use_device_ptr(p, q) use_device_addr(r[0:n]) if(target data: c)
target enter data map(alloc: a[0:n]) nowait depend(inout: b)
target exit data map(release: a[0:n]) map(delete: c) map(from: d) if(e) device(1)
target update to(present: x, a[0:n]) from(mapper(m): s) to(iterator(it=0:n:2): d[it])
declare target
declare target(f, g)
declare target to(f) link(a) device_type(nohost)
declare target enter(f, ns::v) indirect
begin declare target device_type(host)
end declare target
parallel num_threads(strict: 4) default(firstprivate) copyin(t) private(a) shared(b) message("a, b") severity(warning)
parallel num_threads(std::max<int, int>(a, b)) proc_bind(primary) if(x ? y : z)
parallel num_threads(sizeof x / sizeof(int)) if(not a or b) message("a" PRIu64 "b")
parallel reduction(task, +: a) reduction(&&: b) reduction(max: c) reduction(operator+: d) reduction(ns::f: e)
parallel for reduction(inscan, +: x) linear(i) linear(j: 2) linear(k: val, step(n + 1)) linear(r: ref)
parallel sections firstprivate(a)
parallel loop
parallel masked filter(1)
parallel masked taskloop simd grainsize(strict: 4)
parallel master taskloop num_tasks(8)
for ordered nowait
for simd nowait if(simd: c) nontemporal(a, b)
for order(unconstrained: concurrent) collapse(for: 2)
distribute parallel for
loop bind(thread)
teams if(c)
master
distribute dist_schedule(static) firstprivate(a)
taskloop priority(1)
simd private(a)
sections lastprivate(x) nowait
section
single copyprivate(x)
scope reduction(-: a) nowait
masked filter(0)
critical
critical(name) hint(omp_sync_hint_contended)
barrier
taskwait depend(in: x) nowait
taskyield
taskgroup task_reduction(*: p) allocate(x)
task depend(iterator(k=0:n, int j=0:m:2), in: a[k][j]) affinity(a[0:n]) detach(ev) priority(3) untied
task depend(depobj: o) depend(mutexinoutset: a) depend(inoutset: b) depend(out: omp_all_memory) final(n < 2) mergeable
task affinity(iterator(i=0:n): a[i]) threadset(omp_pool) transparent(omp_impex)
taskloop simd in_reduction(+: s) nogroup collapse(2)
ordered threads
ordered depend(source)
ordered depend(sink: i - 1, j)
ordered doacross(source:)
ordered doacross(source: omp_cur_iteration)
ordered doacross(sink: i - 1, j)
atomic
atomic read seq_cst
atomic update capture hint(h) acq_rel
atomic compare capture weak fail(relaxed) memscope(device)
flush
flush(a, b)
flush acq_rel
depobj(o) depend(in: x)
depobj(*o) update(inout)
depobj(o) destroy
depobj(o) destroy(o)
cancel for if(c)
cancel parallel
cancellation point taskgroup
scan inclusive(a, b)
scan exclusive(c)
scan init_complete
threadprivate(a, b)
groupprivate(g) device_type(any)
allocate(a, b) allocator(omp_default_mem_alloc) align(64)
declare mapper(T v) map(tofrom: v, v.p[0:v.n])
declare mapper(id: struct s v) map(to: v.x)
declare reduction(f : int, std::vector<int> : omp_out += omp_in) initializer(omp_priv = {0})
declare reduction(+ : T : omp_out = omp_out ? omp_out : omp_in)
declare induction(f : int) inductor(omp_var * omp_step) collector(omp_step * omp_idx)
declare simd simdlen(4) linear(p: 1) uniform(n) aligned(p: 32) notinbranch
declare variant(f) match(construct={dispatch}, device={kind(nohost)}) adjust_args(need_device_ptr: a)
begin declare variant match(device={arch(nvptx)})
end declare variant
metadirective when(user={condition(n > 1)}: target teams loop) otherwise(parallel loop)
metadirective when(device={kind(gpu)}: nothing) default(parallel for)
begin metadirective when(device={arch(x86)}: parallel)
end metadirective
dispatch nocontext(a) novariants(b) depend(in: x) is_device_ptr(p) nowait
interop init(targetsync: o) device(1) depend(out: a[0:n]) use(u) destroy(d)
requires unified_shared_memory reverse_offload atomic_default_mem_order(seq_cst) self_maps
assume holds(n == 1024) no_openmp no_parallelism
assumes contains(target, parallel) absent(teams)
begin assumes no_openmp_routines
end assumes
nothing
error at(compilation) severity(fatal) message("no")
tile sizes(4, 4)
unroll full
unroll partial(4)
unroll partial
interchange permutation(2, 1)
reverse
fuse looprange(2, 2)
split counts(4, omp_fill)
stripe sizes(2)
taskgraph graph_id(i) if(c) graph_reset(r) nogroup
task_iteration depend(in: a[i])
""".strip().splitlines()
