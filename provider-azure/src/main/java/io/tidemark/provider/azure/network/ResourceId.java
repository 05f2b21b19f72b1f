package io.tidemark.provider.azure.network;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The id of an Azure resource in a resource group (provider-azure 3.1, Z40). It keeps its spelling
 * and equals every id that differs in upper and lower case alone. Immutable.
 */
public final class ResourceId implements Comparable<ResourceId> {
  private static final String SETS = "virtualMachineScaleSets";
  private static final String MACHINES = "virtualMachines";

  /** Texts that mean another place of a path, or none. */
  private static final Set<String> NO_NAMES = Set.of("", ".", "..");

  private final String text;
  private final String key;
  private final List<String> segments;

  private ResourceId(String text, List<String> segments) {
    this.text = text;
    this.key = text.toLowerCase(Locale.ROOT);
    this.segments = segments;
  }

  /**
   * The id of a text of the form {@code /subscriptions/S/resourceGroups/G/providers/NAMESPACE/TYPE
   * /NAME…}; empty for every other text.
   */
  public static Optional<ResourceId> parse(String text) {
    if (!text.startsWith("/")) {
      return Optional.empty();
    }
    List<String> segments = List.of(text.substring(1).split("/", -1));
    boolean complete =
        segments.size() >= 8
            && segments.size() % 2 == 0
            && segments.stream().noneMatch(NO_NAMES::contains)
            && segments.get(0).equalsIgnoreCase("subscriptions")
            && segments.get(2).equalsIgnoreCase("resourceGroups")
            && segments.get(4).equalsIgnoreCase("providers");
    return complete ? Optional.of(new ResourceId(text, segments)) : Optional.empty();
  }

  /**
   * The id of a text that was checked before.
   *
   * @throws IllegalArgumentException when it is none
   */
  public static ResourceId of(String text) {
    return parse(text)
        .orElseThrow(() -> new IllegalArgumentException("'" + text + "' is not a resource id"));
  }

  /** The id as it was spelled. */
  public String text() {
    return text;
  }

  /** The subscription's id. */
  public String subscription() {
    return segments.get(1);
  }

  /** The name of the resource group. */
  public String group() {
    return segments.get(3);
  }

  /** The scope of its subscription. */
  public String subscriptionScope() {
    return "/subscriptions/" + subscription();
  }

  /** The scope of its resource group. */
  public String groupScope() {
    return subscriptionScope() + "/resourceGroups/" + group();
  }

  /** The last name. */
  public String name() {
    return segments.get(segments.size() - 1);
  }

  /** Whether it is of this namespace and these types, in any case. */
  public boolean isOf(String namespace, String... types) {
    if (!segments.get(5).equalsIgnoreCase(namespace) || segments.size() != 6 + 2 * types.length) {
      return false;
    }
    for (int i = 0; i < types.length; i++) {
      if (!segments.get(6 + 2 * i).equalsIgnoreCase(types[i])) {
        return false;
      }
    }
    return true;
  }

  /** Whether it is an instance of a Uniform scale set. */
  public boolean isUniformInstance() {
    return isOf("Microsoft.Compute", SETS, MACHINES);
  }

  /** Whether it is a virtual machine, perhaps one of a Flexible scale set. */
  public boolean isVirtualMachine() {
    return isOf("Microsoft.Compute", MACHINES);
  }

  /** Whether it is an instance of a Uniform set or a virtual machine. */
  boolean isMachine() {
    return isUniformInstance() || isVirtualMachine();
  }

  /** The id of a machine; else empty. */
  public static Optional<ResourceId> machine(String text) {
    return parse(text).filter(ResourceId::isMachine);
  }

  /** The instance of a Uniform set that this is a part of; empty when it is a part of none. */
  public Optional<ResourceId> uniformInstance() {
    return parent().filter(ResourceId::isUniformInstance);
  }

  /** The resource that this one is a part of; empty when it is a part of none. */
  public Optional<ResourceId> parent() {
    return segments.size() < 10
        ? Optional.empty()
        : Optional.of(of("/" + String.join("/", segments.subList(0, segments.size() - 2))));
  }

  @Override
  public int compareTo(ResourceId other) {
    return key.compareTo(other.key);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ResourceId that && key.equals(that.key);
  }

  @Override
  public int hashCode() {
    return key.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
