// What the page says once its server is gone: Streamlit asks for the internet, or for a script that is not ours.

const SAID = [
  ["Streamlit server is not responding. Are you connected to the internet?",
    "The app has stopped. Start it again in its terminal, as you did before or with “streamlit run streamlit_app.py”; this page then goes on."],
  ["Is Streamlit still running? If you accidentally stopped Streamlit, just restart it in your terminal:",
    "The app has stopped. Start it again in its terminal, as you did before or like this; this page then goes on:"],
  ["yourscript.py", "streamlit_app.py"],
];
const HERE = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/; // elsewhere the network may be what fails
let watcher; // one for the page: Streamlit mounts the script again on every page

function mend(added) {
  const texts = document.createTreeWalker(added, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) for (const [theirs, ours] of SAID) if (texts.currentNode.data.includes(theirs)) texts.currentNode.data = texts.currentNode.data.replace(theirs, ours);
}

export default function () {
  if (!HERE.test(location.hostname)) return;
  watcher?.disconnect();
  watcher = new MutationObserver((changes) => changes.forEach((change) => change.addedNodes.forEach(mend)));
  watcher.observe(document.body, { childList: true }); // a dialog comes there as a whole
}
