//! Modules joined in one file, so that a page costs few requests. A module becomes a function that makes
//! its exports when it is first used; `$use` and `$load` stand for static and dynamic imports. Imports
//! and exports begin a line of their own, as the formatter of the pages writes them, and no module
//! imports itself in a circle.

use std::collections::{BTreeMap, BTreeSet};

use super::slim;

/// A module, made into a function.
#[derive(Clone, Debug)]
pub struct Module {
    code: String,
    /// What it imports when it begins.
    needs: Vec<String>,
    /// What it may import later.
    later: Vec<String>,
}

impl Module {
    /// The module at an address such as `/web/dom.js`.
    pub fn new(address: &str, source: &str) -> Module {
        let (mut body, mut exports, mut needs) = (String::new(), String::new(), Vec::new());
        let mut lines = source.lines();
        while let Some(line) = lines.next() {
            if line.starts_with("import ") {
                let mut statement = line.to_owned();
                while !statement.ends_with(';') {
                    statement.push_str(lines.next().expect("an import ends with a semicolon"));
                }
                let (taken, needed) = import(address, &statement);
                body.push_str(&taken);
                needs.push(needed);
            } else if let Some(exported) = line.strip_prefix("export ") {
                let (begun, set) = export(exported);
                body.push_str(&begun);
                exports.push_str(&set);
            } else {
                body.push_str(line);
            }
            body.push('\n');
        }
        let (body, later) = dynamic_imports(address, &slim::script(&body));
        Module {
            code: format!("($out,$use,$load)=>{{\n{}\n{exports}}}", body.trim()),
            needs,
            later,
        }
    }
}

/// An import as the use of another module; and of which.
fn import(address: &str, statement: &str) -> (String, String) {
    let statement = statement.trim_start_matches("import ").trim_end_matches(';');
    let (names, from) = statement.rsplit_once("from ").unwrap_or(("", statement));
    let needed = resolve(address, from.trim_matches('"'));
    let (default, named) = names.split_once('{').unwrap_or((names, ""));
    let default = default.trim().trim_end_matches(',');
    let named = named.trim().trim_end_matches('}');
    let taken = match default.strip_prefix("* as ") {
        Some(all) => format!("const {all} = $use({needed:?});"),
        None => {
            let default = (!default.is_empty()).then(|| format!("default: {default}"));
            let named = named.split(',').map(str::trim).filter(|name| !name.is_empty());
            let named = named.map(|name| name.replacen(" as ", ": ", 1));
            let taken: Vec<String> = default.into_iter().chain(named).collect();
            format!("const {{ {} }} = $use({needed:?});", taken.join(", "))
        }
    };
    (taken, needed)
}

/// What stays of a line behind `export `, and what sets the export at the module's end.
fn export(line: &str) -> (String, String) {
    let declared = line.strip_prefix("default ").unwrap_or(line);
    let words: Vec<&str> = declared.split([' ', '(', ';']).collect();
    let name = match words[..] {
        ["async", "function", name, ..] | ["const" | "class" | "function", name, ..] => name,
        _ => "",
    };
    match (declared.len() < line.len(), name) {
        (true, "") => (format!("$out.default = {declared}"), String::new()),
        (true, name) => (declared.to_owned(), format!("$out.default={name};\n")),
        (false, name) => (declared.to_owned(), format!("$out.{name}={name};\n")),
    }
}

/// `import(…)` as `$load(…)`, and the addresses that are written out.
fn dynamic_imports(address: &str, code: &str) -> (String, Vec<String>) {
    let (mut sent, mut later, mut rest) = (String::with_capacity(code.len()), Vec::new(), code);
    while let Some((before, behind)) = rest.split_once("import(") {
        sent.push_str(before);
        sent.push_str("$load(");
        rest = behind;
        if let Some((name, behind)) = behind.strip_prefix('"').and_then(|text| text.split_once('"'))
        {
            let module = resolve(address, name);
            sent.push_str(&format!("{module:?}"));
            later.push(module);
            rest = behind;
        }
    }
    sent.push_str(rest);
    (sent, later)
}

/// Where `name` leads from a module, as a browser finds it: nothing is above `/`.
fn resolve(address: &str, name: &str) -> String {
    let folder = address.rsplit_once('/').map_or("", |(folder, _)| folder);
    let whole = if name.starts_with('/') { name.to_owned() } else { format!("{folder}/{name}") };
    let mut parts = Vec::new();
    for part in whole.split('/') {
        match part {
            "" | "." => {}
            ".." => _ = parts.pop(),
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

/// Modules with all that they import.
pub struct Modules<'a> {
    read: &'a dyn Fn(&str) -> Option<String>,
    known: BTreeMap<String, Module>,
}

impl Modules<'_> {
    pub fn new(read: &dyn Fn(&str) -> Option<String>) -> Modules<'_> {
        Modules { read, known: BTreeMap::new() }
    }

    /// A module and everything that it imports when it begins; nothing if there is no such module.
    pub fn behind(&mut self, address: &str) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        let mut wanted = vec![address.to_owned()];
        while let Some(next) = wanted.pop() {
            if found.contains(&next) || !self.find(&next) {
                continue;
            }
            wanted.extend(self.known[&next].needs.iter().cloned());
            found.insert(next);
        }
        found
    }

    fn find(&mut self, address: &str) -> bool {
        if !self.known.contains_key(address)
            && let Some(source) = (self.read)(address)
        {
            self.known.insert(address.to_owned(), Module::new(address, &source));
        }
        self.known.contains_key(address)
    }

    /// What these modules may import later.
    pub fn later(&self, modules: &BTreeSet<String>) -> BTreeSet<String> {
        modules.iter().flat_map(|module| self.known[module].later.iter().cloned()).collect()
    }

    /// These modules as an object: their functions by their addresses.
    pub fn object(&self, modules: &BTreeSet<String>) -> String {
        let each =
            modules.iter().map(|module| format!("{module:?}:{},\n", self.known[module].code));
        format!("{{\n{}}}", each.collect::<String>())
    }
}

/// What begins a page: the modules it starts with, where others are, and the use of the first.
pub fn entry(first: &str, modules: &str, chunks: &BTreeMap<String, String>) -> String {
    let chunks = serde_json::to_string(chunks).expect("addresses");
    format!(
        "const parts={modules},made={{}},chunks={chunks};\n\
         function use(name){{if(!made[name]){{made[name]={{}};parts[name](made[name],use,load)}}\
         return made[name]}}\n\
         async function load(name){{if(!parts[name]){{if(!chunks[name])return import(name);\
         const more=(await import(chunks[name])).default;\
         for(const each in more)parts[each]??=more[each]}}return use(name)}}\n\
         use({first:?});\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_becomes_a_function_of_what_it_imports() {
        let source = "import board, { a as b } from \"../x.js\";\nimport * as c from \"./y.js\";\n\
                      import {\n  d,\n  e,\n} from \"../../../../web/dom.js\";\n\
                      /** @param {import(\"./t.ts\").T} t */\nexport const f = () => import(\"./z.js\");\n\
                      export async function g() {\n  return import(f);\n}\nexport default {\n  a: 1,\n};\n";
        let module = Module::new("/boards/gamba/board.js", source);
        assert_eq!(module.needs, ["/boards/x.js", "/boards/gamba/y.js", "/web/dom.js"]);
        assert_eq!(module.later, ["/boards/gamba/z.js"]);
        let lines: Vec<&str> = module.code.lines().filter(|line| !line.is_empty()).collect();
        assert_eq!(
            lines,
            [
                "($out,$use,$load)=>{",
                "const{default:board,a:b}=$use(\"/boards/x.js\");",
                "const c=$use(\"/boards/gamba/y.js\");",
                "const{d,e}=$use(\"/web/dom.js\");",
                "const f=()=>$load(\"/boards/gamba/z.js\");",
                "async function g(){",
                "return $load(f);",
                "}",
                "$out.default={",
                "a:1,",
                "};",
                "$out.f=f;",
                "$out.g=g;",
                "}",
            ]
        );
    }

    #[test]
    fn names_of_what_is_exported_by_default_may_be_used_before() {
        let module =
            Module::new("/web/a.js", "export default function page() {}\nexport class B {}\n");
        assert!(module.code.ends_with("$out.default=page;\n$out.B=B;\n}"), "{}", module.code);
    }
}
