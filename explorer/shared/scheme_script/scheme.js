// Light or dark for what opens over the page: it stands beside the app, to which alone Streamlit gives the scheme.

let watcher; // one for the page: Streamlit mounts the script again on every page

export default function () {
  const app = document.querySelector(".stApp");
  const take = () => (document.body.style.colorScheme = getComputedStyle(app).colorScheme);
  watcher?.disconnect();
  watcher = new MutationObserver(take);
  watcher.observe(app, { attributes: true, attributeFilter: ["class"] });
  take();
}
