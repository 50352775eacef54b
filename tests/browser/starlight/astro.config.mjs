import starlight from "@astrojs/starlight";
import { defineConfig } from "astro/config";

const script = (name) => ({ tag: "script", attrs: { src: `/course/${name}`, defer: true } });

export default defineConfig({
  site: "https://course.example",
  base: "/course",
  integrations: [
    starlight({
      title: "Course",
      customCss: ["./src/content/docs/decks/studykit.css"],
      head: [script("studykit.js"), script("studykit-exercises.js")], // for the fragment that is pasted into a page
    }),
  ],
});
