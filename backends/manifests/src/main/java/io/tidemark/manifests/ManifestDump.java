package io.tidemark.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.cluster.ClusterNode;
import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.file.DiskFiles;
import io.tidemark.file.FileErrorText;
import io.tidemark.file.FileTooLarge;
import io.tidemark.resource.NodeResource;
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

  /** A cluster of 10,000 nodes prints less. */
  private static final int LENGTH_MAX = 512 << 20;

  /**
   * The Kubernetes Nodes in the files of a directory, in a file, or in the standard input.
   *
   * @param place a path, or {@link #STANDARD_INPUT}
   * @throws IpamException {@code STORE_UNREADABLE} when the place cannot be read
   */
  public static ManifestDump<ClusterNode> nodes(String place, InputStream in) {
    return read(ManifestKind.NODE, place, in, LENGTH_MAX);
  }

  /**
   * As {@link #nodes}, seen with their {@code status.addresses} of type {@code InternalIP} as
   * written; an entry of another shape is passed over.
   */
  public static <T> ManifestDump<T> addressedNodes(
      String place, InputStream in, BiFunction<ClusterNode, List<String>, T> view) {
    ManifestKind<T> kind =
        ManifestKind.NODE.readAs((node, tree) -> view.apply(node, internalIps(tree)));
    return read(kind, place, in, LENGTH_MAX);
  }

  private static List<String> internalIps(JsonNode tree) {
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
    FolderInventory<T> inventory = new FolderInventory<>(kind);
    boolean ofInput = place.equals(STANDARD_INPUT);
    String where = ofInput ? "standard input" : place;
    try {
      Path path = Path.of(where);
      Map<Path, ManifestFile<T>> found =
          ofInput
              ? Map.of(path, input(kind, where, in, lengthMax))
              : new FolderFiles<>(kind, path, new DiskFiles(), lengthMax, "")
                  .scan(any -> ManifestFile.nothing());
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
      refused = List.of(new ResourceProblem(where, "", "holds no " + kind.kind(), remedy));
    }
    return new ManifestDump<>(inventory.all(), refused);
  }

  private static <T> ManifestFile<T> input(
      ManifestKind<T> kind, String where, InputStream in, int lengthMax) throws IOException {
    byte[] content = in.readNBytes(lengthMax);
    if (in.read() >= 0) {
      throw new FileTooLarge(lengthMax);
    }
    return ManifestFile.read(kind, where, ManifestFile.UNKNOWN, content);
  }
}
