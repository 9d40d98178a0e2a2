// One entry of the browser's history for each thing that was asked: Back leads from an answer to the one before.
//
// Streamlit adds an entry for each change of the link. Some only lead to the next step and give their place to it: a
// page's name without its link, which the page writes a moment later, and what the server calls passing, such as the
// empty page of a new search.

const UNSETTLED = "unsettled", WAITS = "waits"; // until the server tells of the entry; until another link of this page

function sorted(link) {
  const parameters = new URLSearchParams(link);
  parameters.sort();
  return parameters.toString();
}

function mark(passing) {
  const { passing: _, ...others } = history.state ?? {};
  history.replaceState(passing ? { ...others, passing } : others, "", location.href);
}

function watch(push) {
  return function (state, unused, address) {
    const to = new URL(address, location.href), { passing, before } = history.state ?? {};
    const stays = to.pathname === location.pathname;
    const isHere = to.pathname + to.search === location.pathname + location.search;
    const gives = passing === UNSETTLED || (passing === WAITS && stays);
    const marks = to.search ? {} : { passing: UNSETTLED };
    if (isHere) history.replaceState({ ...state, passing, before }, unused, address);
    else if (gives && before === to.pathname + to.search) history.back(); // given up: the step before stands there already
    else if (gives) history.replaceState({ ...state, ...marks, before }, unused, address);
    else push.call(history, { ...state, ...marks, before: location.pathname + location.search }, unused, address);
  };
}

export default function ({ data }) {
  if (!window.priorscopeEntries) {
    window.priorscopeEntries = true;
    history.pushState = watch(history.pushState);
  }
  if (sorted(location.search) !== sorted(data.link)) return; // it has gone on
  if (data.isPassing) mark(WAITS);
  else if (data.isPassing === false && history.state?.passing === UNSETTLED) mark();
}
