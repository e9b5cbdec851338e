//! Errors of single sign-on.

use crate::error::table::codes;

codes! {
    /// A refusal.
    SamlError =>
    // Administration of providers
    ProviderNotFound                404 "sso_provider_not_found" "SSO Identity Provider not found";
    ProviderType                    400 "validation_failed" "Only 'saml' supported for SSO provider type";
    MetadataTwice                   400 "validation_failed" "Only one of metadata_xml or metadata_url needs to be set";
    MetadataMissing                 400 "validation_failed" "Either metadata_xml or metadata_url must be set";
    MetadataUrlInvalid              400 "validation_failed" "metadata_url is not a valid URL";
    MetadataUrlInsecure             400 "validation_failed" "metadata_url is not a HTTPS URL";
    MetadataUrlHost(reason: String = "URL cannot resolve to private network addresses".to_owned())
                                    400 "validation_failed" "metadata_url cannot be used: {reason}";
    MetadataFetchStatus(which: String = "404 error fetching SAML Metadata from URL 'https://idp.test'".to_owned())
                                    400 "saml_metadata_fetch_failed" "HTTP {which}";
    MetadataFetch(reason: String = "the server cannot be reached".to_owned())
                                    400 "saml_metadata_fetch_failed" "SAML Metadata cannot be fetched: {reason}";
    MetadataNotUtf8                 400 "validation_failed"
        "SAML Metadata XML contains invalid UTF-8 characters, which are not supported at this time";
    MetadataUnreadable(reason: String = "the document has a DTD".to_owned())
                                    400 "validation_failed" "SAML Metadata cannot be read: {reason}";
    MetadataWithoutEntityId         400 "validation_failed" "SAML Metadata does not contain an EntityID";
    MetadataWithoutIdp              400 "validation_failed" "SAML Metadata does not contain any IDPSSODescriptor";
    MetadataWithManyIdps            400 "validation_failed" "SAML Metadata contains multiple IDPSSODescriptors";
    NameIdFormat                    400 "validation_failed"
        "name_id_format must be unspecified or one of urn:oasis:names:tc:SAML:2.0:nameid-format:persistent, urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress, urn:oasis:names:tc:SAML:2.0:nameid-format:transient, urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified";
    EntityIdExists(entity_id: String = "https://idp.test".to_owned())
                                    422 "saml_idp_already_exists"
        "SAML Identity Provider with this EntityID ({entity_id}) already exists";
    EntityIdMismatch(which: String = "expected 'https://idp.test' but got 'https://other.test'".to_owned())
                                    400 "saml_entity_id_mismatch"
        "SAML Metadata can be updated only if the EntityID matches for the provider; {which}";
    DomainEmpty                     400 "validation_failed" "SSO Domain must not be empty";
    DomainExists(which: String = "Domain 'x.test' is already assigned to an SSO identity provider (id)".to_owned())
                                    400 "sso_domain_already_exists" "SSO {which}";
    ResourceIdExists                422 "conflict" "SSO provider with this resource_id already exists";
    UpdateConflict                  422 "conflict" "Updating SSO provider failed, likely due to a conflict. Try again?";

    // Starting the flow
    ProviderOrDomain                400 "validation_failed" "Only one of provider_id or domain supported";
    ProviderMissing                 400 "validation_failed" "A provider_id or domain needs to be provided";
    NoSuchProvider                  404 "sso_provider_not_found" "No such SSO provider";
    NoProviderOfDomain              404 "sso_provider_not_found" "No SSO provider assigned for this domain";
    ProviderDisabled                404 "sso_provider_disabled" "SSO Provider is currently disabled";

    // Answers of identity providers
    RelayStateInvalid               400 "validation_failed" "SAML RelayState is not a valid UUID or URL";
    RelayStateNotFound              404 "saml_relay_state_not_found"
        "SAML RelayState does not exist, try logging in again?";
    RelayStateExpired               422 "saml_relay_state_expired" "SAML RelayState has expired. Try logging in again?";
    Artifact                        400 "validation_failed" "SAML Artifact responses are not supported";
    ResponseMissing                 400 "validation_failed" "SAMLResponse is missing";
    NotBase64                       400 "validation_failed" "SAMLResponse is not a valid Base64 string";
    NotXml                          400 "validation_failed" "SAMLResponse is not a valid XML SAML assertion";
    IdpNotFound                     404 "saml_idp_not_found"
        "A SAML connection has not been established with this Identity Provider";
    ProviderOfDomainDisabled        404 "sso_provider_disabled"
        "SSO Provider assigned for this domain is currently disabled";
    Invalid(reason: String = "neither the response nor the assertion is signed".to_owned())
                                    400 "validation_failed" "SAML Assertion is not valid: {reason}";
    Replayed                        400 "validation_failed" "SAML Assertion is not valid: it was used before";
    NoUserId                        400 "saml_assertion_no_user_id"
        "SAML Assertion did not contain a persistent Subject Identifier attribute or Subject NameID uniquely identifying this user";
    NoEmail                         400 "saml_assertion_no_email" "SAML Assertion does not contain an email address";
}
