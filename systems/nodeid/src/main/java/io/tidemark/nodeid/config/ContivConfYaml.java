package io.tidemark.nodeid.config;

import io.tidemark.cluster.Messages;
import io.tidemark.config.ConfigProblem;
import io.tidemark.config.ConfigProblems;
import io.tidemark.config.Option;
import io.tidemark.config.Setting;
import io.tidemark.error.CoreError;
import io.tidemark.ip.IpAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * Reads a {@code contiv.conf} as settings. Of it only {@code ipamConfig} and {@code nodeConfig}
 * concern addresses. Names count without regard to case, as in Contiv. Used once per file.
 *
 * <p>The default gateways, of the cluster and of each node, become excluded addresses of all nodes:
 * nodes that exclude different ones would disagree on the addresses of each other.
 */
public final class ContivConfYaml {
  private static final String IPAM = "ipamConfig";
  private static final String NODES = "nodeConfig";
  private static final String EXTERNAL = "useExternalIPAM";
  private static final String DHCP = "nodeInterconnectDHCP";
  private static final String GATEWAY = "defaultGateway";
  private static final String MAIN = "mainVPPInterface";

  private final String where;
  private final ConfigProblems problems;
  private final List<Setting> settings = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private final Set<String> gateways = new LinkedHashSet<>();
  private String gatewayOrigin = "";
  private boolean dhcp;

  /** The settings of a file, and what has no effect on the plan, a sentence each. */
  public record Content(List<Setting> settings, List<String> notes) {}

  private ContivConfYaml(String where, ConfigProblems problems) {
    this.where = where;
    this.problems = problems;
  }

  /**
   * Reads the text of the file {@code where} if it is a {@code contiv.conf}: one that has {@code
   * ipamConfig} or {@code nodeConfig} at its top. Empty when it is none, or no YAML at all.
   */
  public static Optional<Content> read(String where, String text, ConfigProblems problems) {
    try {
      LoadSettings settings = LoadSettings.builder().setLabel(where).build();
      Optional<Node> root = new Compose(settings).composeString(text);
      return root.filter(MappingNode.class::isInstance)
          .map(MappingNode.class::cast)
          .map(ContivConfYaml::children)
          .filter(top -> top.containsKey(lower(IPAM)) || top.containsKey(lower(NODES)))
          .map(top -> new ContivConfYaml(where, problems).content(top));
    } catch (YamlEngineException e) {
      return Optional.empty();
    }
  }

  private Content content(Map<String, NodeTuple> top) {
    NodeTuple ipam = top.remove(lower(IPAM));
    NodeTuple nodes = top.remove(lower(NODES));
    if (ipam == null) {
      notes.add(where + " has no " + IPAM + ": the defaults of its keys count");
    } else if (ipam.getValueNode() instanceof MappingNode mapping) {
      ipam(children(mapping));
    } else {
      unreadable(ipam.getValueNode(), IPAM + " has no keys; the file may be cut off");
    }
    if (nodes != null && nodes.getValueNode() instanceof SequenceNode sequence) {
      int index = 0;
      for (Node node : sequence.getValue()) {
        node(NODES + "[" + index++ + "]", node);
      }
    } else if (nodes != null && !isNull(nodes.getValueNode())) {
      unreadable(nodes.getValueNode(), NODES + " is not a list of nodes");
    }
    if (!top.isEmpty()) {
      notes.add("passed over, since no address depends on it: " + names(top.values()));
    }
    if (!gateways.isEmpty() && !dhcp) {
      settings.add(
          new Setting(NodeIdKey.EXCLUDED.key(), String.join(",", gateways), gatewayOrigin));
    }
    if (gateways.size() > 1) {
      notes.add(
          "nodes have different gateways, "
              + String.join(", ", gateways)
              + ": no node gets any of these addresses");
    }
    return new Content(settings, notes);
  }

  private void ipam(Map<String, NodeTuple> children) {
    for (Option<?> key : NodeIdKey.all()) {
      for (String name : key.aliases()) {
        text(children, IPAM, name)
            .ifPresent(value -> settings.add(new Setting(name, value.getValue(), at(value))));
      }
    }
    dhcp = settings.stream().anyMatch(each -> each.key().equals(DHCP) && isTrue(each.value()));
    text(children, IPAM, GATEWAY).ifPresent(value -> gateway(IPAM + "." + GATEWAY, value));
    if (isTrue(children, IPAM, EXTERNAL)) {
      notes.add(
          IPAM
              + "."
              + EXTERNAL
              + " is true: a node's pod subnet is the pod CIDR of its Node object, not the one that"
              + " follows from its id");
    }
    if (!children.isEmpty()) {
      notes.add(
          "passed over, since nothing here reads it: "
              + IPAM
              + "."
              + names(children.values()).replace(", ", ", " + IPAM + "."));
    }
  }

  private void node(String path, Node node) {
    if (!(node instanceof MappingNode mapping)) {
      unreadable(node, path + " has no keys");
      return;
    }
    Map<String, NodeTuple> children = children(mapping);
    String name = text(children, path, "nodeName").map(ScalarNode::getValue).orElse(path);
    text(children, path, "gateway").ifPresent(value -> gateway(path + ".gateway", value));
    NodeTuple main = children.get(lower(MAIN));
    if (main != null && main.getValueNode() instanceof MappingNode its) {
      Map<String, NodeTuple> ofMain = children(its);
      Optional<ScalarNode> ip = text(ofMain, path + "." + MAIN, "ip");
      boolean byDhcp = isTrue(ofMain, path + "." + MAIN, "useDHCP");
      if (ip.isPresent() || byDhcp) {
        notes.add(
            Messages.of(
                "node %s has its own address, %s, in place of the one that follows from its id",
                name, ip.map(ScalarNode::getValue).orElse("by DHCP")));
      }
    }
  }

  private void gateway(String path, ScalarNode value) {
    String text = value.getValue().strip();
    if (IpAddress.tryParse(text).isEmpty()) {
      problems.add(
          new ConfigProblem(
              CoreError.CONFIG_INVALID_VALUE,
              path,
              text,
              at(value),
              "is not an address",
              "Expected: an address such as 192.168.16.1."));
    } else if (gateways.add(text) && gateways.size() == 1) {
      gatewayOrigin = at(value) + " (as gateway)";
    }
  }

  /** The value of a key, unless it is not set or empty; one that is no text is a problem. */
  private Optional<ScalarNode> text(Map<String, NodeTuple> children, String path, String name) {
    NodeTuple child = children.remove(lower(name));
    if (child == null || isNull(child.getValueNode())) {
      return Optional.empty();
    }
    if (child.getValueNode() instanceof ScalarNode scalar) {
      return Optional.of(scalar).filter(value -> !value.getValue().isBlank());
    }
    unreadable(child.getValueNode(), path + "." + name + " is not plain text");
    return Optional.empty();
  }

  private boolean isTrue(Map<String, NodeTuple> children, String path, String name) {
    return text(children, path, name).filter(value -> isTrue(value.getValue())).isPresent();
  }

  /** By their names in lower case; the last of a name counts, as in Contiv. */
  private static Map<String, NodeTuple> children(MappingNode mapping) {
    Map<String, NodeTuple> children = new LinkedHashMap<>();
    for (NodeTuple each : mapping.getValue()) {
      if (each.getKeyNode() instanceof ScalarNode name) {
        children.put(lower(name.getValue()), each);
      }
    }
    return children;
  }

  private static String names(Collection<NodeTuple> tuples) {
    return String.join(
        ", ", tuples.stream().map(each -> ((ScalarNode) each.getKeyNode()).getValue()).toList());
  }

  private static boolean isTrue(String text) {
    return text.strip().equalsIgnoreCase("true");
  }

  private static boolean isNull(Node node) {
    return node.getTag().equals(Tag.NULL);
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }

  private String at(Node node) {
    return where + ":" + node.getStartMark().map(mark -> mark.getLine() + 1).orElse(0);
  }

  private void unreadable(Node node, String problem) {
    String remedy = CoreError.CONFIG_UNREADABLE.remedy();
    problems.add(new ConfigProblem(CoreError.CONFIG_UNREADABLE, "", "", at(node), problem, remedy));
  }
}
