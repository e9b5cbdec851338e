//! Single sign-on by SAML 2.0. What is refused was compared with GoTrue itself.

mod providers;

/// What an identity provider of this name publishes of itself.
fn metadata(entity_id: &str) -> String {
    format!(
        r#"<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="{entity_id}"><md:IDPSSODescriptor
        protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><md:SingleSignOnService
        Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.test/in?x=1"
        /></md:IDPSSODescriptor></md:EntityDescriptor>"#
    )
}
