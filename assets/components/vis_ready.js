// Appended to vis-network: tells graphs that were mounted earlier that the library is here,
// and takes the empty element out of the page's flow.
dispatchEvent(new Event("kg-vis"));
export default ({ parentElement }) => {
  const box = parentElement.host?.closest('[data-testid="stElementContainer"]');
  if (box) box.style.position = "absolute";
};
