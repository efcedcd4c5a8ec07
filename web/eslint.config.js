import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: ["**/node_modules/", "**/.shots/"] },
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2024, sourceType: "module", globals: globals.browser },
    rules: {
      eqeqeq: "error",
      "no-var": "error",
      "prefer-const": "error",
      "no-restricted-properties": [
        "error",
        ...["innerHTML", "outerHTML", "insertAdjacentHTML"].map((property) => ({
          property,
          message: "Names come from strangers: describe it with h().",
        })),
      ],
      // Types say what is not defined, and where an unused argument names a place.
      "no-undef": "off",
      "no-unused-vars": ["error", { args: "none" }],
    },
  },
  {
    files: ["web/tests/**", "web/workbench.js", "web/eslint.config.js"],
    languageOptions: { globals: { ...globals.node, ...globals.browser } },
    rules: { "no-restricted-properties": "off" },
  },
];
