//! A strict XML parser: no DTD and so no custom entities, no processing instructions, no duplicate ids, and limits
//! above any SAML message. A document that two parsers could interpret differently is refused.
//!
//! DEVIATION (stricter): documents from identity providers must have no DTD, no processing instructions and no
//! duplicate ids, at most 8,192 tags, 64 levels, and 250 attributes per tag; GoTrue has none of these limits.

use std::collections::HashSet;

use uppsala::{Document, NodeId, NodeKind, Parser};

/// Maximum nesting of elements.
const MAX_DEPTH: u32 = 64;
/// Maximum number of attributes of an element. The parser compares each with all others.
const MAX_ATTRIBUTES: usize = 250;
/// Maximum number of tags. Canonicalization looks up all prefixes at each element.
const MAX_TAGS: usize = 8192;
/// Attributes that some standard treats as ids.
const IDS: [&str; 4] = ["ID", "Id", "id", "xml:id"];

/// Why a document is refused, as the end of a sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum XmlError {
    #[error("it is not well-formed: {0}")]
    Malformed(String),
    #[error("it has too many tags")]
    Tags,
    #[error("an element has too many attributes")]
    Attributes,
    #[error("it has a processing instruction")]
    Instruction,
    #[error("two elements have one id")]
    DuplicateId,
    #[error("it has more than one {0} where there can be one")]
    Repeated(&'static str),
    #[error("{0} has elements where there should be text")]
    NotText(String),
}

/// Parses a document.
///
/// # Errors
/// [`XmlError::Malformed`], also for one with a DTD, [`XmlError::Tags`], [`XmlError::Attributes`],
/// [`XmlError::Instruction`], [`XmlError::DuplicateId`].
pub(super) fn parse(text: &str) -> Result<Document<'_>, XmlError> {
    if text.bytes().filter(|byte| *byte == b'<').count() > MAX_TAGS {
        return Err(XmlError::Tags);
    }
    // Values cannot contain a `<`, so this counts at least all attributes of a tag.
    if text.split('<').any(|tag| tag.bytes().filter(|byte| *byte == b'=').count() > MAX_ATTRIBUTES) {
        return Err(XmlError::Attributes);
    }
    let parser = Parser::new().with_forbid_dtd(true).with_max_depth(MAX_DEPTH);
    let document = parser.parse(text).map_err(|error| XmlError::Malformed(error.to_string()))?;
    let mut ids = HashSet::new();
    for node in document.descendants(document.root()) {
        match document.node_kind(node) {
            Some(NodeKind::ProcessingInstruction(_)) => return Err(XmlError::Instruction),
            Some(NodeKind::Element(element)) => {
                let named = |attribute: &&uppsala::Attribute<'_>| IDS.contains(&&*attribute.name.prefixed_name());
                for id in element.attributes.iter().filter(named) {
                    if !ids.insert(id.value.to_string()) {
                        return Err(XmlError::DuplicateId);
                    }
                }
            }
            _ => {}
        }
    }
    Ok(document)
}

/// An element of a document.
#[derive(Clone, Copy)]
pub(super) struct Element<'d> {
    pub(super) document: &'d Document<'d>,
    pub(super) node: NodeId,
}

impl<'d> Element<'d> {
    /// The root element.
    pub(super) fn root(document: &'d Document<'d>) -> Option<Self> {
        document.document_element().map(|node| Element { document, node })
    }

    /// True if the element has this name in this namespace.
    pub(super) fn is(self, namespace: &str, name: &str) -> bool {
        let element = self.document.element(self.node);
        element.is_some_and(|element| element.name.matches(Some(namespace), name))
    }

    /// The name without the prefix.
    pub(super) fn name(self) -> &'d str {
        self.document.element(self.node).map(|element| &*element.name.local_name).unwrap_or_default()
    }

    /// The child elements.
    pub(super) fn elements(self) -> impl Iterator<Item = Element<'d>> {
        let document = self.document;
        document.children_iter(self.node).filter_map(move |node| {
            document.element(node)?;
            Some(Element { document, node })
        })
    }

    /// The child elements with this name.
    pub(super) fn all<'n>(self, namespace: &'n str, name: &'n str) -> impl Iterator<Item = Element<'d>> + use<'d, 'n> {
        self.elements().filter(move |element| element.is(namespace, name))
    }

    /// The only child element with this name.
    ///
    /// # Errors
    /// [`XmlError::Repeated`]
    pub(super) fn only(self, namespace: &str, name: &'static str) -> Result<Option<Element<'d>>, XmlError> {
        let mut found = self.all(namespace, name);
        match (found.next(), found.next()) {
            (_, Some(_)) => Err(XmlError::Repeated(name)),
            (first, None) => Ok(first),
        }
    }

    /// All descendant elements.
    pub(super) fn descendants(self) -> impl Iterator<Item = Element<'d>> {
        let document = self.document;
        document.descendants(self.node).into_iter().filter_map(move |node| {
            document.element(node)?;
            Some(Element { document, node })
        })
    }

    /// An attribute without a namespace; `None` if absent.
    pub(super) fn attribute(self, name: &str) -> Option<&'d str> {
        let element = self.document.element(self.node)?;
        let found = element.attributes.iter().find(|attribute| attribute.name.matches(None, name))?;
        Some(&found.value)
    }

    /// The complete text. Comments, which signatures do not cover, must not cut it short.
    ///
    /// # Errors
    /// [`XmlError::NotText`]
    pub(super) fn text(self) -> Result<String, XmlError> {
        let mut text = String::new();
        for node in self.document.children_iter(self.node) {
            match self.document.node_kind(node) {
                Some(NodeKind::Text(part) | NodeKind::CData(part)) => text.push_str(part),
                Some(NodeKind::Comment(_)) => {}
                _ => return Err(XmlError::NotText(self.name().to_owned())),
            }
        }
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_be_read_in_two_ways_is_not_read() {
        let deep = format!("{}{}", "<a>".repeat(65), "</a>".repeat(65));
        let attributes = |count: usize| {
            let all: String = (0..count).map(|number| format!(" a{number}=''")).collect();
            format!("<a{all}/>")
        };
        let tags = |pairs: usize| format!("<a>{}</a>", "<a></a>".repeat(pairs - 1));
        for (text, refused) in [
            ("<a ID='1'><b ID='2'/></a>", false),
            ("<a ID='1'><b ID='1'/></a>", true),
            ("<a ID='1'><b id='1'/></a>", true),
            ("<a Id='1'><b xml:id='1'/></a>", true),
            ("<!DOCTYPE a><a/>", true),
            ("<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", true),
            ("<a>&b;</a>", true),
            ("<a><?b c?></a>", true),
            ("<a b='1' b='2'/>", true),
            ("<a xmlns:x='u' xmlns:y='u' x:b='1' y:b='2'/>", true),
            ("<x:a/>", true),
            ("<a/><b/>", true),
            ("<a", true),
            ("", true),
            (&deep, true),
            (&attributes(250), false),
            (&attributes(251), true),
            (&tags(4096), false),
            (&tags(4097), true),
        ] {
            assert_eq!(parse(text).is_err(), refused, "{text}");
        }
    }

    #[test]
    fn comments_do_not_cut_texts_short() {
        let text = |xml: &str| {
            let document = parse(xml).unwrap();
            Element::root(&document).unwrap().text()
        };
        assert_eq!(text("<a>ana@x.test<!-- -->.evil.test</a>").unwrap(), "ana@x.test.evil.test");
        assert_eq!(text("<a>a<![CDATA[&b]]>&lt;</a>").unwrap(), "a&b<");
        assert!(text("<a>a<b/></a>").is_err());
    }

    #[test]
    fn names_have_namespaces() {
        let xml = "<x:a xmlns:x='u' xmlns:y='v' y:ID='1' c='2'><x:b/><y:b/><b/></x:a>";
        let document = parse(xml).unwrap();
        let root = Element::root(&document).unwrap();
        assert!(root.is("u", "a") && !root.is("v", "a") && root.name() == "a");
        assert_eq!((root.attribute("ID"), root.attribute("c")), (None, Some("2")));
        assert_eq!((root.elements().count(), root.all("u", "b").count()), (3, 1));
        assert!(root.only("u", "b").unwrap().is_some() && root.only("u", "z").unwrap().is_none());
        let document = parse("<a xmlns='u'><b/><b/></a>").unwrap();
        assert!(Element::root(&document).unwrap().only("u", "b").is_err());
    }
}
