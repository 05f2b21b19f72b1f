package io.tidemark.provider.azure.network;

/** The effect of a write on the public address of an interface's primary configuration. */
public sealed interface PublicAddressChange {
  /** A Uniform instance asks for an address of this prefix, under this name. */
  record OfPrefix(String name, ResourceId prefix) implements PublicAddressChange {}

  /** The interface of a virtual machine uses this address, which has been made before. */
  record Existing(ResourceId address) implements PublicAddressChange {}

  /** It has none any more. */
  record Gone() implements PublicAddressChange {}
}
