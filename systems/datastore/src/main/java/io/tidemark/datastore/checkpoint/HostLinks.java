package io.tidemark.datastore.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Which sandboxes exist, by the links of the host: the AWS VPC CNI names the host's end of a pod's
 * link after the pod. An assignment without a pod's name is taken for that of one that exists.
 */
public final class HostLinks implements Predicate<CheckpointEntry> {
  /** Of the name of a link, behind a prefix that can be set. */
  private static final int HASH_LENGTH = 11;

  private final Set<String> endings = new HashSet<>();

  /** With these names of links. */
  public HostLinks(Collection<String> names) {
    for (String name : names) {
      if (name.length() >= HASH_LENGTH) {
        endings.add(name.substring(name.length() - HASH_LENGTH));
      }
    }
  }

  @Override
  public boolean test(CheckpointEntry entry) {
    IpamMetadata pod = entry.metadata();
    return pod.podNamespace().isEmpty()
        || pod.podName().isEmpty()
        || endings.contains(hash(pod.podNamespace() + "." + pod.podName()));
  }

  private static String hash(String pod) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-1").digest(pod.getBytes(UTF_8));
      return HexFormat.of().formatHex(digest).substring(0, HASH_LENGTH);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-1", e);
    }
  }
}
