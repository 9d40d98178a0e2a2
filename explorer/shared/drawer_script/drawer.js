// On a phone the options lie over the page: they shut once one is chosen.

const OVER_PAGE = "(max-width: 767.98px)"; // where Streamlit lays them over it
let before; // the choices that were shown last

export default function ({ data }) {
  const options = document.querySelector(".stSidebar[data-collapsed='false']");
  const isNew = before !== undefined && before !== data.choices;
  before = data.choices;
  if (isNew && options && matchMedia(OVER_PAGE).matches) options.querySelector("[data-testid='stSidebarCollapseButton'] button").click();
}
