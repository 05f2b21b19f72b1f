package io.tidemark.datastore;

/**
 * The kind of CIDR that an interface has addresses as, and from which a store assigns IPv4
 * addresses.
 */
public enum CidrKind {
  /** One secondary address: a /32 or /128. */
  SECONDARY,
  /** A delegated prefix, as a rule a /28 or /80; each of its addresses is assigned. */
  PREFIX
}
