package io.tidemark.kubernetes.store;

import io.tidemark.resource.ParsedResource;
import io.tidemark.resource.ReceivedObject;
import io.tidemark.resource.ResourceProblem;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The knowledge of one object at one version.
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

  /** A version that the server sent, with what {@code kept} takes of it if it is valid. */
  static <R, T> KnownObject<T> of(ReceivedObject<R> received, Function<R, T> kept) {
    ParsedResource<R> parsed = received.parsed();
    return new KnownObject<>(
        received.name(),
        received.resourceVersion(),
        received.uid(),
        parsed.match(it -> Optional.of(kept.apply(it)), invalid -> Optional.empty()),
        parsed.match(it -> List.of(), ParsedResource.Invalid::problems),
        false);
  }

  static <T> KnownObject<T> gone(String name, String version) {
    return new KnownObject<>(name, version, "", Optional.empty(), List.of(), true);
  }

  /** Whether it was deleted, and is known to be absent in this version, which is not empty. */
  boolean isGoneAt(String listed) {
    return gone && !listed.isEmpty() && listed.equals(version);
  }

  /** This, with the last readable payload of {@code before} where this one cannot be read. */
  KnownObject<T> after(KnownObject<T> before) {
    boolean keeps = !problems.isEmpty() && uid.equals(before.uid);
    return keeps ? new KnownObject<>(name, version, uid, before.payload, problems, false) : this;
  }
}
