// Sets the chosen theme before the first paint. A classic script on purpose: modules run later.
{
  const asked = new URLSearchParams(location.search).get("theme");
  let chosen = asked;
  try {
    chosen ??= localStorage.getItem("theme");
  } catch {
    // Storage is switched off: the system's scheme stays.
  }
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
}
