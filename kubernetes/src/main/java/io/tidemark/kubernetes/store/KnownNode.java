package io.tidemark.kubernetes.store;

import io.tidemark.resource.NodeResource;
import io.tidemark.resource.OperatorWrites;
import io.tidemark.resource.ResourceProblem;
import java.util.List;
import java.util.Optional;

/**
 * What is known of one object at one version.
 *
 * @param version its resource version, or that of its deletion
 * @param uid of its incarnation; empty text when not known
 * @param resource the newest readable document; empty when there is none or the object is gone
 * @param problems why the newest document cannot be read; empty when it can
 * @param writes who wrote the operator's part of the newest readable document
 * @param gone whether it was deleted
 */
record KnownNode(
    String name,
    String version,
    String uid,
    Optional<NodeResource> resource,
    List<ResourceProblem> problems,
    OperatorWrites writes,
    boolean gone) {

  static KnownNode of(CiliumNodeJson object) {
    String name = object.getMetadata().getName();
    String version = object.getMetadata().getResourceVersion();
    String uid = object.getMetadata().getUid();
    return object
        .parsed()
        .match(
            resource ->
                new KnownNode(
                    name, version, uid, Optional.of(resource), List.of(), object.writes(), false),
            invalid ->
                new KnownNode(
                    name,
                    version,
                    uid,
                    Optional.empty(),
                    invalid.problems(),
                    OperatorWrites.NONE,
                    false));
  }

  static KnownNode gone(String name, String version) {
    return new KnownNode(name, version, "", Optional.empty(), List.of(), OperatorWrites.NONE, true);
  }

  /** This, with the last readable document of {@code before} where this one cannot be read. */
  KnownNode after(KnownNode before) {
    boolean keeps = !problems.isEmpty() && uid.equals(before.uid);
    return keeps
        ? new KnownNode(name, version, uid, before.resource, problems, before.writes, false)
        : this;
  }
}
