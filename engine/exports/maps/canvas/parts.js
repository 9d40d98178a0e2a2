// Elements that the map is built from: text is set as text, so a title can never become markup.

const ICONS = {
  pan: "M8 1v14M1 8h14M8 1 6 3M8 1l2 2M8 15l-2-2M8 15l2-2M1 8l2-2M1 8l2 2M15 8l-2-2M15 8l-2 2",
  lasso: "M8 2c4 0 6.500 2 6.500 4.500S12 11 8 11 1.500 9 1.500 6.500 4 2 8 2M5 10.500c1.500 1.500 1 3.500-1.500 4",
  box: "M2 3h12v10H2z",
  pair: "M1.500 6.500a2.500 2.500 0 1 0 5 0a2.500 2.500 0 1 0-5 0M9.500 9.500a2.500 2.500 0 1 0 5 0a2.500 2.500 0 1 0-5 0M6 7.500l3.500 1.200",
  in: "M8 3v10M3 8h10",
  out: "M3 8h10",
  fit: "M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4",
  query: "M8 1.500l1.900 4.300 4.600.5-3.500 3.100 1 4.600L8 11.600 4 14l1-4.600L1.500 6.300l4.600-.5z",
  full: "M6 2H2v4M10 2h4v4M6 14H2v-4M10 14h4v-4M2 2l4.500 4.500M14 2 9.500 6.500M2 14l4.500-4.500M14 14 9.500 9.500",
};

function element(tag, className, parent, text = "") {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  parent.append(made);
  return made;
}

function iconButton(parent, icon, name, act) {
  const button = element("button", "tool", parent);
  button.type = "button";
  button.title = name;
  button.setAttribute("aria-label", name);
  button.innerHTML = `<svg viewBox="0 0 16 16" aria-hidden="true"><path d="${ICONS[icon]}"/></svg>`;
  button.addEventListener("click", act);
  return button;
}

/** A tool that is better said than drawn. */
function wordButton(parent, word, name, act) {
  const button = element("button", "tool word", parent, word);
  button.type = "button";
  button.title = name;
  button.setAttribute("aria-label", name);
  button.addEventListener("click", act);
  return button;
}
