package io.tidemark.operator;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.file.FileErrorText;
import io.tidemark.file.FileTooLarge;
import io.tidemark.manifests.ManifestDump;
import io.tidemark.nodecidr.config.NodeCidrKey.Mode;
import io.tidemark.nodecidr.plan.UsageScrape;
import io.tidemark.nodecidr.pool.CiliumNodeCidrs;
import io.tidemark.resource.NodeResource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads what {@code node-cidr plan} is told about nodes that exist. Stateless. */
final class ExistingNodes {
  /** Bytes of the largest file of metrics that is read. */
  private static final int METRICS_MOST = 64 << 20;

  private ExistingNodes() {}

  /** The objects whose CIDRs the mode assigns. */
  static ManifestDump<ClusterNode> read(Mode mode, String place, InputStream in) {
    if (mode == Mode.KUBERNETES) {
      return ManifestDump.nodes(place, in);
    }
    ManifestDump<NodeResource> dump = ManifestDump.ciliumNodes(place, in);
    return new ManifestDump<>(
        dump.objects().stream().map(node -> CiliumNodeCidrs.view(node, Optional.empty())).toList(),
        dump.refused());
  }

  /** The usage of ranges in a file of metrics. */
  static UsageScrape scrape(Path file) {
    try {
      if (Files.size(file) > METRICS_MOST) {
        throw new FileTooLarge(METRICS_MOST);
      }
      UsageScrape scrape = UsageScrape.parse(Files.readString(file));
      if (scrape.used().isEmpty()) {
        throw refused(file + " has no sample of " + UsageScrape.USAGE, null);
      }
      return scrape;
    } catch (CharacterCodingException e) {
      throw refused(file + " is not UTF-8 text", e);
    } catch (IOException e) {
      throw refused(file + " cannot be read: " + FileErrorText.of(e), e);
    }
  }

  private static IpamException refused(String detail, @Nullable IOException cause) {
    String problem = "--metrics: " + detail;
    return cause == null
        ? new IpamException(CoreError.USAGE_REFUSED, problem)
        : new IpamException(CoreError.USAGE_REFUSED, problem, cause);
  }
}
