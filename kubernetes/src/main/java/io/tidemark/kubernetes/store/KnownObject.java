package io.tidemark.kubernetes.store;

import io.tidemark.resource.ResourceProblem;
import java.util.List;
import java.util.Optional;

/**
 * What is known of one object at one version.
 *
 * @param version its resource version, or that of its deletion
 * @param uid of its incarnation; empty text when not known
 * @param payload of the newest readable version; empty when there is none or the object is gone
 * @param problems why the newest version cannot be read; empty when it can
 * @param gone whether it was deleted
 */
record KnownObject<T>(
    String name,
    String version,
    String uid,
    Optional<T> payload,
    List<ResourceProblem> problems,
    boolean gone) {

  static <T> KnownObject<T> gone(String name, String version) {
    return new KnownObject<>(name, version, "", Optional.empty(), List.of(), true);
  }

  /** This, with the last readable payload of {@code before} where this one cannot be read. */
  KnownObject<T> after(KnownObject<T> before) {
    boolean keeps = !problems.isEmpty() && uid.equals(before.uid);
    return keeps ? new KnownObject<>(name, version, uid, before.payload, problems, false) : this;
  }
}
