package io.tidemark.kubernetes.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.tidemark.cluster.Claim;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Between a {@code coordination.k8s.io/v1 Lease} and a {@link Claim}. */
final class LeaseClaimJson {
  static final String LABEL = "app.kubernetes.io/managed-by";
  static final String LABEL_VALUE = "tidemark";
  private static final String UID = "tidemark.io/node-uid";
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private LeaseClaimJson() {}

  static KnownObject<Claim> known(Lease lease) {
    Claim claim = claim(lease);
    return new KnownObject<>(
        claim.name(), claim.version(), claim.uid(), Optional.of(claim), List.of(), false);
  }

  static Claim claim(Lease lease) {
    Map<String, String> annotations =
        Objects.requireNonNullElse(lease.getMetadata().getAnnotations(), Map.of());
    String holder = lease.getSpec() == null ? null : lease.getSpec().getHolderIdentity();
    return new Claim(
        lease.getMetadata().getName(),
        lease.getMetadata().getUid(),
        lease.getMetadata().getResourceVersion(),
        holder == null ? "" : holder,
        annotations.getOrDefault(UID, ""));
  }

  static String created(String namespace, String name, String holder, String holderUid) {
    return print(object(namespace, name, holder, holderUid));
  }

  static String updated(String namespace, Claim seen, String holder, String holderUid) {
    ObjectNode object = object(namespace, seen.name(), holder, holderUid);
    ((ObjectNode) object.get("metadata"))
        .put("uid", seen.uid())
        .put("resourceVersion", seen.version());
    return print(object);
  }

  private static ObjectNode object(String namespace, String name, String holder, String holderUid) {
    ObjectNode object = MAPPER.createObjectNode();
    object.put("apiVersion", "coordination.k8s.io/v1").put("kind", "Lease");
    ObjectNode metadata = object.putObject("metadata");
    metadata.put("name", name).put("namespace", namespace);
    metadata.putObject("labels").put(LABEL, LABEL_VALUE);
    metadata.putObject("annotations").put(UID, holderUid);
    object.putObject("spec").put("holderIdentity", holder);
    return object;
  }

  /** The conditions of a deletion: the uid and the version that were seen. */
  static String deletion(Claim seen) {
    ObjectNode options = MAPPER.createObjectNode();
    options.put("apiVersion", "v1").put("kind", "DeleteOptions");
    options
        .putObject("preconditions")
        .put("uid", seen.uid())
        .put("resourceVersion", seen.version());
    return print(options);
  }

  private static String print(ObjectNode object) {
    try {
      return MAPPER.writeValueAsString(object);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException("a tree cannot fail to be printed", e);
    }
  }
}
