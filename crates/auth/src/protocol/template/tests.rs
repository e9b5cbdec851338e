//! Expected output of Go's `html/template` (1.26) for the same templates and data, except for the named deviations. Go
//! writes percent-encoding in lower case, and escapes `1 < 2`.

use serde_json::{Value, json};

use super::Template;

fn data() -> Value {
    json!({
        "SiteURL": "https://x.test",
        "ConfirmationURL": "https://x.test/auth/v1/verify?token=a&type=signup&redirect_to=https://x.test/?a=1",
        "Token": "123456",
        "Email": "o'brien+1@x.test",
        "RedirectTo": "https://x.test/in?a=1&b=2",
        "Data": { "name": "<b>Ana</b>", "n": 3, "zero": 0, "list": ["a", "b"], "none": [], "map": { "b": 2, "a": 1 },
            "link": "javascript:alert(1)" },
    })
}

#[track_caller]
fn html(template: &str) -> String {
    Template::parse(template).unwrap_or_else(|error| panic!("{template}: {error}")).html(&data()).unwrap()
}

#[test]
fn values_and_blocks() {
    for (template, rendered) in [
        ("a {{ .Token }} b", "a 123456 b"),
        ("{{.Token}}{{ .Missing }}{{ .Missing.More }}", "123456"),
        ("{{ .Data.name }}", "&lt;b&gt;Ana&lt;/b&gt;"),
        ("{{ .Email }}", "o&#39;brien&#43;1@x.test"),
        ("a {{- .Token -}} b", "a123456b"),
        ("a{{/* not {{ this */}}b", "ab"),
        ("{{ if .Data.name }}yes{{ else }}no{{ end }}", "yes"),
        ("{{ if .Data.zero }}yes{{ else if eq .Data.n 3 }}three{{ else }}no{{ end }}", "three"),
        ("{{ if and .Token (not .Missing) }}yes{{ end }}", "yes"),
        ("{{ if or .Missing .Data.none }}yes{{ else }}no{{ end }}", "no"),
        ("{{ if eq .Token \"1\" \"123456\" }}yes{{ end }}", "yes"),
        ("{{ if gt (len .Data.list) 1 }}many{{ end }}", "many"),
        ("{{ with .Data.map }}{{ .a }}{{ $.Token }}{{ end }}", "1123456"),
        ("{{ with .Missing }}x{{ else }}none{{ end }}", "none"),
        ("{{ range .Data.list }}<{{ . }}>{{ end }}", "<a><b>"),
        ("{{ range $i, $x := .Data.list }}{{ $i }}{{ $x }} {{ end }}", "0a 1b "),
        ("{{ range $k, $v := .Data.map }}{{ $k }}{{ $v }}{{ end }}", "a1b2"),
        ("{{ range .Data.none }}x{{ else }}none{{ end }}", "none"),
        ("{{ $name := .Data.n }}{{ $name }}", "3"),
        ("{{ index .Data.list 1 }}{{ index .Data \"n\" }}", "b3"),
        ("{{ .Token | printf \"%s!\" }}", "123456!"),
        ("{{ print .Token \"-\" 1 }}", "123456-1"),
        ("{{ \"a\\\"b\" }}{{ `c` }}", "a&#34;bc"),
    ] {
        assert_eq!(html(template), rendered, "{template}");
    }
}

#[test]
fn values_are_escaped_for_their_place() {
    for (template, rendered) in [
        (
            r#"<a href="{{ .ConfirmationURL }}">"#,
            r#"<a href="https://x.test/auth/v1/verify?token=a&amp;type=signup&amp;redirect_to=https://x.test/?a=1">"#,
        ),
        (
            r#"<a href="{{ .SiteURL }}/in?next={{ .RedirectTo }}&t={{ .Token }}">"#,
            r#"<a href="https://x.test/in?next=https%3A%2F%2Fx.test%2Fin%3Fa%3D1%26b%3D2&t=123456">"#,
        ),
        (r#"<a href="{{ .Data.link }}">"#, r##"<a href="#ZgotmplZ">"##),
        (r#"<a href="{{ .SiteURL }}/{{ .Data.name }}">"#, r#"<a href="https://x.test/%3Cb%3EAna%3C/b%3E">"#),
        (r#"<i title="{{ .Data.name }}">"#, r#"<i title="&lt;b&gt;Ana&lt;/b&gt;">"#),
        ("<i title={{ .Data.name }}>", "<i title=&lt;b&gt;Ana&lt;/b&gt;>"),
        (r#"<i style="color: {{ .Data.name }}">"#, r#"<i style="color: ZgotmplZ">"#),
        (
            "<script>x = {{ .Data.name }}</script>{{ .Data.n }}",
            "<script>x = \"\\u003cb\\u003eAna\\u003c/b\\u003e\"</script>3",
        ),
        ("<style>a { {{ .Data.name }} }</style>", "<style>a { ZgotmplZ }</style>"),
        ("<!-- {{ .Token }} -->{{ .Token }}", "<!--  -->123456"),
        ("<{{ .Data.name }}>", "<&lt;b&gt;Ana&lt;/b&gt;>"),
        ("<i {{ .Data.name }}>", "<i ZgotmplZ>"),
        ("1 < 2 {{ .Data.name }}", "1 < 2 &lt;b&gt;Ana&lt;/b&gt;"),
    ] {
        assert_eq!(html(template), rendered, "{template}");
    }
}

#[test]
fn subjects_are_one_line_of_text() {
    let subject = |template: &str| Template::parse(template).unwrap().text(&data()).unwrap();
    assert_eq!(subject("{{ .Token }} for {{ .Email }}"), "123456 for o'brien+1@x.test");
    assert_eq!(subject("a\r\nBcc: b@x.test"), "a Bcc: b@x.test");
}

#[test]
fn mistakes_have_a_line() {
    for (template, said) in [
        ("\n{{ .A", "line 2: an action has no }}"),
        ("{{ if .A }}", "line 1: an if or with has no end"),
        ("{{ end }}", "line 1: an end without a beginning"),
        ("{{ else }}", "line 1: an else without an if"),
        ("{{ define \"x\" }}{{ end }}", "line 1: define is not known here"),
        ("{{ nonsense .A }}", "line 1: nonsense is not known here"),
        ("{{ eq .A }}", "line 1: eq does not take 1 arguments"),
        ("{{ .A .B }}", "line 1: only functions take arguments"),
        ("{{ (.A }}", "line 1: a ( without a )"),
        ("{{ .A ) }}", "line 1: a ) without a ("),
        ("{{ \"a }}", "line 1: a string does not end"),
        ("{{ .A | .B }}", "line 1: after | there must be a function"),
        ("{{ }}", "line 1: something is missing"),
        ("{{ é! }}", "line 1: unexpected '!'"),
    ] {
        assert_eq!(Template::parse(template).unwrap_err().to_string(), said, "{template}");
    }
    let deep = "{{ if .A }}".repeat(100);
    assert!(Template::parse(&deep).is_err());
    let deep = format!("{{{{ {}.A{} }}}}", "(".repeat(100), ")".repeat(100));
    assert!(Template::parse(&deep).is_err());
}

#[test]
fn output_has_a_limit() {
    let list = json!({ "l": vec!["x".repeat(100); 200] });
    let template = Template::parse("{{ range .l }}{{ range $.l }}{{ . }}{{ end }}{{ end }}").unwrap();
    assert!(template.html(&list).is_err());
}
