//! `/scim/v2/…`

mod resource_types;
mod schemas;
mod service_provider_config;

pub(crate) use resource_types::{__path_resource_types, resource_types};
pub(crate) use schemas::{__path_schemas, schemas};
pub(crate) use service_provider_config::{__path_service_provider_config, service_provider_config};
