package io.tidemark.manifests;

import io.tidemark.resource.NodeResourceJson;
import io.tidemark.resource.ParsedResource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * What the files hold.
 *
 * @param spec what this program writes of the spec
 * @param status what this program writes of the status
 * @param tables values that a half-written file may lack, by path, and what they are called
 * @param parser reads one object as JSON; problems name the path inside the object
 */
record ManifestKind(
    String apiVersion,
    String kind,
    OwnedPaths spec,
    OwnedPaths status,
    Map<String, String> tables,
    Function<String, ParsedResource> parser) {
  /**
   * The nodes of Cilium as an operator writes them (node-manager 1.2, 1.3): of the spec the pool
   * and {@code pre-allocate} are ours; of the status everything but what agents tell of addresses
   * in use (NM-S1).
   */
  static final ManifestKind CILIUM_NODE =
      ciliumNode(
          OwnedPaths.of("spec", List.of("spec.ipam.pool", "spec.ipam.pre-allocate"), List.of()),
          OwnedPaths.of(
              "status", List.of("status"), List.of("status.ipam.used", "status.ipam.ipv6-used")));

  /** The nodes of Cilium as an agent writes them: what it uses and what it answers. */
  static final ManifestKind CILIUM_NODE_OF_AGENT =
      ciliumNode(
          OwnedPaths.of("spec", List.of("spec.ipam.pools"), List.of()),
          OwnedPaths.of(
              "status", List.of("status.ipam.used", "status.ipam.release-ips"), List.of()));

  private static ManifestKind ciliumNode(OwnedPaths spec, OwnedPaths status) {
    return new ManifestKind(
        "cilium.io/v2",
        "CiliumNode",
        spec,
        status,
        new TreeMap<>(
            Map.of(
                "status.ipam.used", "all used addresses",
                "status.eni", "all interfaces",
                "spec.ipam.pool", "the pool")),
        json -> NodeResourceJson.parse(json, ""));
  }

  /** What to do with an object of another kind. */
  String remedy() {
    return "Keep only objects of kind " + kind + " (apiVersion " + apiVersion + ") in this place.";
  }
}
