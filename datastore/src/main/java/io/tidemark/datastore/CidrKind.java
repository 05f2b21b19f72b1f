package io.tidemark.datastore;

/** What an interface has addresses as, and what a store assigns IPv4 addresses from. */
public enum CidrKind {
  /** One secondary address: a /32 or /128. */
  SECONDARY,
  /** A delegated prefix, as a rule a /28 or /80; each of its addresses is assigned. */
  PREFIX
}
