package io.tidemark.daemon;

import io.tidemark.datastore.checkpoint.CheckpointEntry;
import io.tidemark.datastore.checkpoint.HostLinks;
import io.tidemark.file.FileErrorText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which pods exist, by the links of this machine (eni-datastore 4.1): a pod may have ended while
 * nothing served its DEL.
 */
final class LivePods {
  /** Has an entry for each link of the network namespace. */
  static final Path LINKS = Path.of("/sys/class/net");

  private static final Logger LOG = LoggerFactory.getLogger(LivePods.class);

  private LivePods() {}

  /** Pods that have a link in that folder; every pod while it cannot be listed. Blocks on it. */
  static Predicate<CheckpointEntry> withLinkIn(Path folder) {
    try (Stream<Path> links = Files.list(folder)) {
      return new HostLinks(links.map(each -> folder.relativize(each).toString()).toList());
    } catch (IOException e) {
      LOG.warn(
          "The links of this machine cannot be listed, so every pod keeps its address. folder={}"
              + " cause={}",
          folder,
          FileErrorText.of(e));
      return pod -> true;
    }
  }
}
