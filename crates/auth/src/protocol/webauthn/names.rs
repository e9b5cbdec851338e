//! Default names of passkeys: the program or device that stores them.

use uuid::Uuid;

/// The default name of an unknown authenticator.
const UNNAMED: &str = "Passkey";

/// By AAGUID, as published by the manufacturers; the common ones.
const NAMES: &[(u128, &str)] = &[
    (0x08987058_cadc_4b81_b6e1_30de50dcbe96, "Windows Hello"),
    (0x6028b017_b1d4_4c02_b4b3_afcdafc96bb2, "Windows Hello"),
    (0x9ddd1817_af5a_4672_a2b9_3e3dd95000a9, "Windows Hello"),
    (0xea9b8d66_4d01_1d21_3ce4_b6b48cb575d4, "Google Password Manager"),
    (0xadce0002_35bc_c60a_648b_0b25f1f05503, "Chrome on Mac"),
    (0xb5397666_4885_aa6b_cebf_e52262a439a2, "Chromium Browser"),
    (0x771b48fd_d3d4_4f74_9232_fc157ab0507a, "Edge on Mac"),
    (0xfbfc3007_154e_4ecc_8c0b_6e020557d7bd, "Apple Passwords"),
    (0xdd4ec289_e01d_41c9_bb89_70fa845d4bf2, "iCloud Keychain (Managed)"),
    (0x53414d53_554e_4700_0000_000000000000, "Samsung Pass"),
    (0xbada5566_a7aa_401f_bd96_45619a55120d, "1Password"),
    (0xd548826e_79b4_db40_a3d8_11116f7e8349, "Bitwarden"),
    (0x531126d6_e717_415c_9320_3d9aa6981239, "Dashlane"),
    (0x0ea242b4_43c4_4a1b_8b17_dd6d0b6baec6, "Keeper"),
    (0xb84e4048_15dc_4dd0_8640_f4f60813c8af, "NordPass"),
    (0x50726f74_6f6e_5061_7373_50726f746f6e, "Proton Pass"),
    (0xfdb141b2_5d84_443e_8a35_4698c205a502, "KeePassXC"),
    (0xf3809540_7f14_49c1_a8b3_8f813b225541, "Enpass"),
    (0xcb69481e_8ff7_4039_93ec_0a2729a154a8, "YubiKey 5 Series"),
    (0xee882879_721c_4913_9775_3dfcce97072a, "YubiKey 5 Series"),
    (0xfa2b99dc_9e39_4257_8f92_4a30d23c4118, "YubiKey 5 Series with NFC"),
    (0x2fc0579f_8113_47ea_b116_bb5a8db9202a, "YubiKey 5 Series with NFC"),
    (0xc5ef55ff_ad9a_4b9f_b580_adebafe026d0, "YubiKey 5 Series with Lightning"),
    (0xa4e9fc6d_4cbe_4758_b8ba_37598bb5bbaa, "Security Key NFC by Yubico"),
];

/// The name of an authenticator model.
///
/// DEVIATION (words): a new passkey is named after its authenticator for the 24 most common models; GoTrue knows some
/// three hundred.
pub(crate) fn of_authenticator(aaguid: Option<Uuid>) -> &'static str {
    let known = aaguid.and_then(|aaguid| NAMES.iter().find(|(number, _)| *number == aaguid.as_u128()));
    known.map_or(UNNAMED, |(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn authenticators_have_names() {
        assert_eq!(NAMES.len(), 24);
        let bitwarden = Uuid::parse_str("d548826e-79b4-db40-a3d8-11116f7e8349").unwrap();
        assert_eq!(of_authenticator(Some(bitwarden)), "Bitwarden");
        assert_eq!((of_authenticator(Some(Uuid::nil())), of_authenticator(None)), ("Passkey", "Passkey"));
    }
}
