package io.tidemark.daemon;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.datastore.checkpoint.CheckpointEntry;
import io.tidemark.datastore.checkpoint.IpamMetadata;
import io.tidemark.file.FileErrorText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which pods exist, by the links of this machine (eni-datastore 4.1): a pod may have ended while
 * nothing served its DEL. The AWS VPC CNI names the host's end of a pod's link after the pod. An
 * assignment without a pod's name is taken for that of one that exists.
 */
final class LivePods {
  /** Has an entry for each link of the network namespace. */
  static final Path LINKS = Path.of("/sys/class/net");

  /** Of the name of a link, behind a prefix that can be set. */
  private static final int HASH_LENGTH = 11;

  private static final Logger LOG = LoggerFactory.getLogger(LivePods.class);

  private LivePods() {}

  /** Pods that have a link in that folder; every pod while it cannot be listed. Blocks on it. */
  static Predicate<CheckpointEntry> withLinkIn(Path folder) {
    try (Stream<Path> links = Files.list(folder)) {
      return withLinks(links.map(each -> folder.relativize(each).toString()).toList());
    } catch (IOException e) {
      LOG.warn(
          "The links of this machine cannot be listed, so every pod keeps its address. folder={}"
              + " cause={}",
          folder,
          FileErrorText.of(e));
      return pod -> true;
    }
  }

  /** Pods that have one of these links. */
  static Predicate<CheckpointEntry> withLinks(Collection<String> names) {
    Set<String> endings = new HashSet<>();
    for (String name : names) {
      if (name.length() >= HASH_LENGTH) {
        endings.add(name.substring(name.length() - HASH_LENGTH));
      }
    }
    return entry -> {
      IpamMetadata pod = entry.metadata();
      return pod.podNamespace().isEmpty()
          || pod.podName().isEmpty()
          || endings.contains(hash(pod.podNamespace() + "." + pod.podName()));
    };
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
