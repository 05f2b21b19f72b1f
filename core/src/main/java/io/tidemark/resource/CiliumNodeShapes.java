package io.tidemark.resource;

import io.tidemark.resource.Shape.Leaf;
import io.tidemark.resource.Shape.ListOf;
import io.tidemark.resource.Shape.MapOf;
import io.tidemark.resource.Shape.Struct;
import java.util.Map;

/**
 * The fields of a {@code cilium.io/v2 CiliumNode} that Tidemark reads or writes (1.2, 1.3), as
 * docs/ciliumnode.md lists them. Everything else, the sections of other clouds included, is opaque.
 */
final class CiliumNodeShapes {
  private static final Shape TEXTS = new MapOf(false, Leaf.TEXT);
  private static final Shape TEXT_SET = new ListOf(false, Leaf.TEXT);
  private static final Shape TEXT_LIST = new ListOf(true, Leaf.TEXT);
  private static final Shape OPAQUE = new Struct(Map.of());
  private static final Shape BLOCK_SET = new ListOf(false, Leaf.BLOCK);

  /**
   * {@code spec.ipam.pool} and {@code status.ipam.used}; {@link AddressTable} is its compact form.
   */
  static final Shape ADDRESS_ENTRIES =
      new MapOf(
          true,
          new Struct(Map.of(AddressTable.OWNER, Leaf.TEXT, AddressTable.RESOURCE, Leaf.TEXT)));

  /** Addresses without order; {@link AddressList} is its compact form. */
  static final Shape ADDRESS_SET = new ListOf(false, Leaf.ADDRESS);

  static final Struct METADATA =
      new Struct(
          Map.of(
              "name", Leaf.TEXT,
              "uid", Leaf.TEXT,
              "resourceVersion", Leaf.TEXT,
              "creationTimestamp", Leaf.ANY,
              "deletionTimestamp", Leaf.TEXT,
              "ownerReferences", Leaf.ANY,
              "managedFields", Leaf.ANY,
              "annotations", TEXTS));

  static final Struct IPAM_SPEC =
      new Struct(
          Map.of(
              "pre-allocate",
              Leaf.COUNT,
              "min-allocate",
              Leaf.COUNT,
              "max-allocate",
              Leaf.COUNT,
              "max-above-watermark",
              Leaf.COUNT,
              "static-ip-tags",
              TEXTS,
              "pool",
              ADDRESS_ENTRIES,
              "pools",
              pools(),
              "podCIDRs",
              TEXT_LIST));

  static final Struct ENI_SPEC =
      new Struct(
          Map.ofEntries(
              Map.entry("instance-id", Leaf.TEXT),
              Map.entry("instance-type", Leaf.TEXT),
              Map.entry("first-interface-index", Leaf.STATED_COUNT),
              Map.entry("security-groups", TEXT_SET),
              Map.entry("security-group-tags", TEXTS),
              Map.entry("subnet-ids", TEXT_LIST),
              Map.entry("subnet-tags", TEXTS),
              Map.entry("node-subnet-id", Leaf.TEXT),
              Map.entry("vpc-id", Leaf.TEXT),
              Map.entry("availability-zone", Leaf.TEXT),
              Map.entry("exclude-interface-tags", TEXTS),
              Map.entry("delete-on-termination", Leaf.STATED_FLAG),
              Map.entry("use-primary-address", Leaf.STATED_FLAG),
              Map.entry("disable-prefix-delegation", Leaf.STATED_FLAG)));

  static final Struct ENI =
      new Struct(
          Map.ofEntries(
              Map.entry("id", Leaf.TEXT),
              Map.entry("ip", Leaf.ADDRESS),
              Map.entry("mac", Leaf.TEXT),
              Map.entry("availability-zone", Leaf.TEXT),
              Map.entry("description", Leaf.TEXT),
              Map.entry("number", Leaf.INTEGER),
              Map.entry("subnet", new Struct(Map.of("id", Leaf.TEXT, "cidr", Leaf.BLOCK))),
              Map.entry(
                  "vpc",
                  new Struct(
                      Map.of("id", Leaf.TEXT, "primary-cidr", Leaf.BLOCK, "cidrs", BLOCK_SET))),
              Map.entry("addresses", ADDRESS_SET),
              Map.entry("prefixes", BLOCK_SET),
              Map.entry("ipv6-prefixes", BLOCK_SET),
              Map.entry("public-ip", Leaf.ADDRESS),
              Map.entry("security-groups", TEXT_SET),
              Map.entry("tags", TEXTS)));

  static final Struct ENI_STATUS = new Struct(Map.of("enis", new MapOf(false, ENI)));

  static final Struct AZURE_SPEC =
      new Struct(
          Map.of("interface-name", Leaf.TEXT, "disable-prefix-delegation", Leaf.STATED_FLAG));

  static final Struct AZURE_ADDRESS =
      new Struct(Map.of("ip", Leaf.TEXT, "subnet", Leaf.TEXT, "state", Leaf.TEXT));

  /** {@link AddressRecords} is its compact form. */
  static final Shape AZURE_ADDRESSES = new ListOf(true, AZURE_ADDRESS);

  static final Struct AZURE_INTERFACE =
      new Struct(
          Map.ofEntries(
              Map.entry("id", Leaf.TEXT),
              Map.entry("name", Leaf.TEXT),
              Map.entry("mac", Leaf.TEXT),
              Map.entry("state", Leaf.TEXT),
              Map.entry("ip", Leaf.TEXT),
              Map.entry("addresses", AZURE_ADDRESSES),
              Map.entry("security-group", Leaf.TEXT),
              Map.entry("GatewayIP", Leaf.TEXT),
              Map.entry("gateway", Leaf.TEXT),
              Map.entry("cidr", Leaf.TEXT),
              Map.entry("subnet", new Struct(Map.of("id", Leaf.TEXT, "cidr", Leaf.TEXT)))));

  static final Struct AZURE_STATUS =
      new Struct(Map.of("interfaces", new ListOf(true, AZURE_INTERFACE)));

  static final Struct SPEC =
      new Struct(
          Map.of(
              "instance-id",
              Leaf.TEXT,
              "addresses",
              Leaf.ANY,
              "health",
              Leaf.ANY,
              "ingress",
              Leaf.ANY,
              "ipam",
              IPAM_SPEC,
              "eni",
              ENI_SPEC,
              "azure",
              AZURE_SPEC,
              "alibaba-cloud",
              OPAQUE));

  static final Shape RELEASE_IPS = new MapOf(true, Leaf.HANDSHAKE);

  static final Struct STATUS =
      new Struct(
          Map.of(
              "ipam",
              new Struct(
                  Map.of(
                      "used",
                      ADDRESS_ENTRIES,
                      "release-ips",
                      RELEASE_IPS,
                      "assigned-static-ip",
                      Leaf.TEXT,
                      "operator-status",
                      Leaf.ANY)),
              "eni",
              ENI_STATUS,
              "azure",
              AZURE_STATUS,
              "alibaba-cloud",
              OPAQUE));

  static final Struct ROOT =
      new Struct(
          Map.of(
              "apiVersion", Leaf.TEXT,
              "kind", Leaf.TEXT,
              "metadata", METADATA,
              "spec", SPEC,
              "status", STATUS));

  private CiliumNodeShapes() {}

  private static Shape pools() {
    Shape needed = new Struct(Map.of("ipv4-addrs", Leaf.INTEGER, "ipv6-addrs", Leaf.INTEGER));
    Shape requested = new Struct(Map.of("pool", Leaf.TEXT, "needed", needed));
    Shape allocated =
        new Struct(
            Map.of(
                "pool",
                Leaf.TEXT,
                "cidrs",
                BLOCK_SET,
                "allowFirstIP",
                Leaf.STATED_FLAG,
                "allowLastIP",
                Leaf.STATED_FLAG));
    return new Struct(
        Map.of("requested", new ListOf(true, requested), "allocated", new ListOf(true, allocated)));
  }
}
