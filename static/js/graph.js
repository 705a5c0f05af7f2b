// The slider of the graph sets its date field, which asks for the graph of that day; a wide picture begins in
// its middle.
const slider = document.querySelector(".graph-slider input");
const field = document.getElementById("as-of");
const DAY = 86400000; // milliseconds

function dayOf(value) {
  return new Date(Date.parse(`${slider.dataset.first}T00:00:00Z`) + Number(value) * DAY);
}

function showDay() {
  const words = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "long", timeZone: "UTC" });
  slider.setAttribute("aria-valuetext", words.format(dayOf(slider.value)));
}

function centre() {
  const frame = document.querySelector(".graph-frame");
  if (frame) frame.scrollLeft = (frame.scrollWidth - frame.clientWidth) / 2;
}

if (slider && field) {
  slider.addEventListener("input", () => {
    // At its right end the slider means now.
    field.value = slider.value === slider.max ? "" : dayOf(slider.value).toISOString().slice(0, 10);
    showDay();
  });
  field.addEventListener("input", () => {
    const days = field.value ? (Date.parse(field.value) - Date.parse(slider.dataset.first)) / DAY : slider.max;
    slider.value = days;
    showDay();
  });
  showDay();
}
centre();
document.addEventListener("htmx:afterSettle", (event) => event.detail.elt?.id === "graph" && centre());
