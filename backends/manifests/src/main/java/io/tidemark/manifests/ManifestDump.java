package io.tidemark.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cluster.ClusterNode;
import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.file.DiskFiles;
import io.tidemark.file.FileErrorText;
import io.tidemark.file.FilePort;
import io.tidemark.file.FileStamp;
import io.tidemark.file.FileTooLarge;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.ParsedResource;
import io.tidemark.resource.ResourceProblem;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * Objects as {@code kubectl get -o yaml} or {@code -o json} printed them, read once and not
 * watched.
 *
 * @param objects by name
 * @param refused what cannot be read; when it is empty, {@code objects} are all there is
 */
public record ManifestDump<T>(List<T> objects, List<ResourceProblem> refused) {
  /** The place that means the standard input. */
  public static final String STANDARD_INPUT = "-";

  private static final String STANDARD_INPUT_SHOWN = "standard input";

  /** A cluster of 10,000 nodes prints less. */
  private static final int LENGTH_MAX = 512 << 20;

  /**
   * The Kubernetes Nodes in the files of a directory, in a file, or in the standard input. Blocks
   * until all is read.
   *
   * @param place a path, or {@link #STANDARD_INPUT}
   * @param in the standard input
   * @throws IpamException {@code STORE_UNREADABLE} when the place cannot be read
   */
  public static ManifestDump<ClusterNode> nodes(String place, InputStream in) {
    return read(ManifestKind.NODE, place, in, LENGTH_MAX);
  }

  /**
   * As {@link #nodes}, with their {@code status.addresses} of type {@code InternalIP} as written;
   * an entry of another shape is passed over.
   *
   * @param node makes one of a node and its addresses
   */
  public static <T> ManifestDump<T> addressedNodes(
      String place, InputStream in, BiFunction<ClusterNode, List<String>, T> node) {
    ManifestKind<T> kind =
        new ManifestKind<>(
            ManifestKind.NODE.apiVersion(),
            ManifestKind.NODE.kind(),
            tree ->
                ManifestKind.NODE
                    .parse()
                    .apply(tree)
                    .match(
                        valid -> new ParsedResource.Valid<>(node.apply(valid, internalIps(tree))),
                        invalid ->
                            new ParsedResource.Invalid<>(invalid.name(), invalid.problems())),
            (before, after, inFile) -> inFile,
            each -> "",
            (each, version) -> each);
    return read(kind, place, in, LENGTH_MAX);
  }

  private static List<String> internalIps(ObjectNode tree) {
    List<String> internalIps = new ArrayList<>();
    for (JsonNode each : tree.at("/status/addresses")) {
      if (each.path("type").asText().equals("InternalIP") && each.path("address").isTextual()) {
        internalIps.add(each.path("address").asText());
      }
    }
    return internalIps;
  }

  /** As {@link #nodes}, for CiliumNodes. */
  public static ManifestDump<NodeResource> ciliumNodes(String place, InputStream in) {
    return read(ManifestKind.CILIUM_NODE, place, in, LENGTH_MAX);
  }

  static <T> ManifestDump<T> read(
      ManifestKind<T> kind, String place, InputStream in, int lengthMax) {
    FolderInventory<T> inventory = new FolderInventory<>(kind, event -> {});
    boolean ofInput = place.equals(STANDARD_INPUT);
    try {
      Map<Path, ManifestFile<T>> found;
      if (ofInput) {
        byte[] content = in.readNBytes(lengthMax);
        if (in.read() >= 0) {
          throw new FileTooLarge(lengthMax);
        }
        FileStamp stamp = new FileStamp(true, "", 0, content.length);
        found =
            Map.of(
                Path.of(STANDARD_INPUT_SHOWN),
                ManifestFile.read(kind, STANDARD_INPUT_SHOWN, stamp, content));
      } else {
        FilePort disk = new DiskFiles();
        Path path = Path.of(place);
        boolean directory = disk.isDirectory(disk.realPath(path));
        found =
            new FolderFiles<>(kind, disk, path, directory, lengthMax, "")
                .scan(any -> ManifestFile.nothing());
      }
      inventory.apply(found);
      inventory.apply(found);
    } catch (IOException e) {
      String detail = place + " cannot be read: " + FileErrorText.of(e);
      throw new IpamException(CoreError.STORE_UNREADABLE, detail, e);
    }
    List<ResourceProblem> refused = inventory.refused();
    if (inventory.all().isEmpty() && refused.isEmpty()) {
      String plural = kind.kind().toLowerCase(Locale.ROOT) + "s";
      String remedy = "Write the objects there with kubectl get " + plural + " -o yaml.";
      String where = ofInput ? STANDARD_INPUT_SHOWN : place;
      refused = List.of(new ResourceProblem(where, "", "holds no " + kind.kind(), remedy));
    }
    return new ManifestDump<>(inventory.all(), refused);
  }
}
