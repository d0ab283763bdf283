// Puts together again what kgcore/views/packing.py took apart: looks that nodes and edges share, and the
// ends of edges, which are positions among the nodes.

function unpacked({ looks, nodes, edges, ...rest }) {
  const whole = ({ look, ...own }) => ({ ...looks[look], ...own });
  const all = nodes.map(whole);
  const joined = (edge) => ({ ...whole(edge), from: all[edge.from].id, to: all[edge.to].id });
  return { ...rest, nodes: all, edges: edges.map(joined) };
}
