package io.tidemark.resource;

import static io.tidemark.resource.Shape.Leaf.ADDRESS;
import static io.tidemark.resource.Shape.Leaf.ANY;
import static io.tidemark.resource.Shape.Leaf.BLOCK;
import static io.tidemark.resource.Shape.Leaf.COUNT;
import static io.tidemark.resource.Shape.Leaf.HANDSHAKE;
import static io.tidemark.resource.Shape.Leaf.INTEGER;
import static io.tidemark.resource.Shape.Leaf.STATED_COUNT;
import static io.tidemark.resource.Shape.Leaf.STATED_FLAG;
import static io.tidemark.resource.Shape.Leaf.TEXT;

import io.tidemark.resource.Shape.ListOf;
import io.tidemark.resource.Shape.MapOf;
import io.tidemark.resource.Shape.Struct;
import java.util.Map;

/**
 * The fields of a {@code cilium.io/v2 CiliumNode} that Tidemark reads or writes (1.2, 1.3), as
 * docs/ciliumnode.md lists them. Everything else, the sections of other clouds included, is opaque.
 */
final class CiliumNodeShapes {
  private static final Shape TEXTS = new MapOf(false, TEXT);
  private static final Shape TEXT_SET = new ListOf(false, TEXT);
  private static final Shape TEXT_LIST = new ListOf(true, TEXT);
  private static final Shape OPAQUE = new Struct(Map.of());
  private static final Shape BLOCK_SET = new ListOf(false, BLOCK);

  /** {@code spec.ipam.pool}, {@code status.ipam.used}; compact form: {@link AddressTable}. */
  static final Shape ADDRESS_ENTRIES =
      new MapOf(true, new Struct(Map.of(AddressTable.OWNER, TEXT, AddressTable.RESOURCE, TEXT)));

  /** Addresses without order; {@link AddressList} is its compact form. */
  static final Shape ADDRESS_SET = new ListOf(false, ADDRESS);

  static final Struct METADATA =
      new Struct(
          Map.of(
              "name", TEXT,
              "uid", TEXT,
              "resourceVersion", TEXT,
              "creationTimestamp", ANY,
              "deletionTimestamp", TEXT,
              "ownerReferences", ANY,
              "managedFields", ANY,
              "annotations", TEXTS,
              "labels", TEXTS));

  static final Struct IPAM_SPEC =
      new Struct(
          Map.of(
              "pre-allocate", COUNT,
              "min-allocate", COUNT,
              "max-allocate", COUNT,
              "max-above-watermark", COUNT,
              "static-ip-tags", TEXTS,
              "pool", ADDRESS_ENTRIES,
              "pools", pools(),
              "podCIDRs", TEXT_LIST));

  static final Struct ENI_SPEC =
      new Struct(
          Map.ofEntries(
              Map.entry("instance-id", TEXT),
              Map.entry("instance-type", TEXT),
              Map.entry("first-interface-index", STATED_COUNT),
              Map.entry("security-groups", TEXT_SET),
              Map.entry("security-group-tags", TEXTS),
              Map.entry("subnet-ids", TEXT_LIST),
              Map.entry("subnet-tags", TEXTS),
              Map.entry("node-subnet-id", TEXT),
              Map.entry("vpc-id", TEXT),
              Map.entry("availability-zone", TEXT),
              Map.entry("exclude-interface-tags", TEXTS),
              Map.entry("delete-on-termination", STATED_FLAG),
              Map.entry("use-primary-address", STATED_FLAG),
              Map.entry("disable-prefix-delegation", STATED_FLAG)));

  static final Struct ENI =
      new Struct(
          Map.ofEntries(
              Map.entry("id", TEXT),
              Map.entry("ip", ADDRESS),
              Map.entry("mac", TEXT),
              Map.entry("availability-zone", TEXT),
              Map.entry("description", TEXT),
              Map.entry("number", INTEGER),
              Map.entry("subnet", new Struct(Map.of("id", TEXT, "cidr", BLOCK))),
              Map.entry(
                  "vpc", new Struct(Map.of("id", TEXT, "primary-cidr", BLOCK, "cidrs", BLOCK_SET))),
              Map.entry("addresses", ADDRESS_SET),
              Map.entry("prefixes", BLOCK_SET),
              Map.entry("ipv6-prefixes", BLOCK_SET),
              Map.entry("public-ip", ADDRESS),
              Map.entry("security-groups", TEXT_SET),
              Map.entry("tags", TEXTS)));

  static final Struct ENI_STATUS = new Struct(Map.of("enis", new MapOf(false, ENI)));

  static final Struct AZURE_SPEC =
      new Struct(Map.of("interface-name", TEXT, "disable-prefix-delegation", STATED_FLAG));

  static final Struct AZURE_ADDRESS = new Struct(Map.of("ip", TEXT, "subnet", TEXT, "state", TEXT));

  /** {@link AddressRecords} is its compact form. */
  static final Shape AZURE_ADDRESSES = new ListOf(true, AZURE_ADDRESS);

  static final Struct AZURE_INTERFACE =
      new Struct(
          Map.ofEntries(
              Map.entry("id", TEXT),
              Map.entry("name", TEXT),
              Map.entry("mac", TEXT),
              Map.entry("state", TEXT),
              Map.entry("ip", TEXT),
              Map.entry("addresses", AZURE_ADDRESSES),
              Map.entry("security-group", TEXT),
              Map.entry("GatewayIP", TEXT),
              Map.entry("gateway", TEXT),
              Map.entry("cidr", TEXT),
              Map.entry("subnet", new Struct(Map.of("id", TEXT, "cidr", TEXT)))));

  static final Struct AZURE_STATUS =
      new Struct(Map.of("interfaces", new ListOf(true, AZURE_INTERFACE)));

  static final Struct SPEC =
      new Struct(
          Map.of(
              "instance-id", TEXT,
              "addresses", ANY,
              "health", ANY,
              "ingress", ANY,
              "ipam", IPAM_SPEC,
              "eni", ENI_SPEC,
              "azure", AZURE_SPEC,
              "alibaba-cloud", OPAQUE));

  static final Shape RELEASE_IPS = new MapOf(true, HANDSHAKE);

  static final Struct STATUS =
      new Struct(
          Map.of(
              "ipam",
              new Struct(
                  Map.of(
                      "used", ADDRESS_ENTRIES,
                      "release-ips", RELEASE_IPS,
                      "assigned-static-ip", TEXT,
                      "operator-status", ANY)),
              "eni",
              ENI_STATUS,
              "azure",
              AZURE_STATUS,
              "alibaba-cloud",
              OPAQUE));

  static final Struct ROOT =
      new Struct(
          Map.of(
              "apiVersion", TEXT,
              "kind", TEXT,
              "metadata", METADATA,
              "spec", SPEC,
              "status", STATUS));

  private CiliumNodeShapes() {}

  private static Shape pools() {
    Shape needed = new Struct(Map.of("ipv4-addrs", INTEGER, "ipv6-addrs", INTEGER));
    Shape requested = new Struct(Map.of("pool", TEXT, "needed", needed));
    Shape allocated =
        new Struct(
            Map.of(
                "pool", TEXT,
                "cidrs", BLOCK_SET,
                "allowFirstIP", STATED_FLAG,
                "allowLastIP", STATED_FLAG));
    return new Struct(
        Map.of("requested", new ListOf(true, requested), "allocated", new ListOf(true, allocated)));
  }
}
