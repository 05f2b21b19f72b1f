package io.tidemark.cluster;

import io.tidemark.ip.IpFamily;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The pool that a pod prefers by an annotation, its own or that of its namespace (allocators 8). At
 * either, the annotation of the family goes before the one for both; an empty one does not count.
 *
 * <p>An owner that is not the name of a pod, such as {@code router}, prefers no pool. Reads the
 * annotations at each question, so a change counts from the next address on.
 */
public final class AnnotatedPools implements PoolMetadata {
  private static final String IPV4_POOL = "ipam.cilium.io/ipv4-pool";
  private static final String IPV6_POOL = "ipam.cilium.io/ipv6-pool";
  private static final String POOL = "ipam.cilium.io/ip-pool";

  private static final Pattern SUBDOMAIN = Pattern.compile("[a-z0-9]++(?:(?:-++|\\.)[a-z0-9]++)*+");
  private static final int SUBDOMAIN_MAX = 253;

  private final Source source;

  /** The annotations of the objects that are known. Thread-safe; never blocks. */
  public interface Source {
    /** Those of a pod; empty when it is not known. */
    Optional<Map<String, String>> ofPod(String namespace, String name);

    /** Those of a namespace; empty when it is not known. */
    Optional<Map<String, String>> ofNamespace(String name);
  }

  /** Pools by the annotations of {@code source}. */
  public AnnotatedPools(Source source) {
    this.source = source;
  }

  /** Whether a pool can depend on this annotation. */
  public static boolean isRead(String annotation) {
    return annotation.equals(IPV4_POOL) || annotation.equals(IPV6_POOL) || annotation.equals(POOL);
  }

  @Override
  public Answer poolOf(String owner, IpFamily family) {
    int slash = owner.indexOf('/');
    String namespace = slash < 0 ? "" : owner.substring(0, slash);
    String pod = owner.substring(slash + 1);
    if (!isSubdomain(namespace) || !isSubdomain(pod)) {
      return new Answer.Default();
    }
    Optional<Map<String, String>> own = source.ofPod(namespace, pod);
    if (own.isEmpty()) {
      return new Answer.Unknown("pod " + owner + " is not known");
    }
    Optional<String> preferred = preferred(own.get(), family);
    if (preferred.isEmpty()) {
      Optional<Map<String, String>> around = source.ofNamespace(namespace);
      if (around.isEmpty()) {
        return new Answer.Unknown("namespace " + namespace + " is not known");
      }
      preferred = preferred(around.get(), family);
    }
    return preferred.<Answer>map(Answer.Named::new).orElseGet(Answer.Default::new);
  }

  private static Optional<String> preferred(Map<String, String> annotations, IpFamily family) {
    return Stream.of(family == IpFamily.IPV4 ? IPV4_POOL : IPV6_POOL, POOL)
        .map(each -> annotations.getOrDefault(each, ""))
        .filter(each -> !each.isEmpty())
        .findFirst();
  }

  /** Whether the API server would take it as the name of a namespace or pod. */
  private static boolean isSubdomain(String text) {
    return text.length() <= SUBDOMAIN_MAX && SUBDOMAIN.matcher(text).matches();
  }
}
