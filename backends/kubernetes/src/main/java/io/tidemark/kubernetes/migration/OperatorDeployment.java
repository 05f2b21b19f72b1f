package io.tidemark.kubernetes.migration;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A Deployment of cilium-operator. Immutable.
 *
 * @param replicas that it shall have
 * @param ready of them
 * @param rolledOut whether its status shows all of these and no other Pod; Pods that terminate are
 *     not in its status
 * @param container name of the operator's container
 * @param ipam the value of its argument {@code --ipam}, or else of its variable {@code
 *     CILIUM_IPAM}; both have precedence over the ConfigMap
 * @param ipamIsArgument whether it is that of the argument
 */
public record OperatorDeployment(
    String namespace,
    String name,
    String image,
    int replicas,
    int ready,
    boolean rolledOut,
    String container,
    Optional<String> ipam,
    boolean ipamIsArgument) {
  private static final String IPAM = "--ipam";
  private static final String VARIABLE = "CILIUM_IPAM";

  static OperatorDeployment of(Deployment deployment) {
    List<Container> containers = deployment.getSpec().getTemplate().getSpec().getContainers();
    Container container =
        containers.stream()
            .filter(each -> each.getName().contains("operator"))
            .findFirst()
            .orElseGet(() -> containers.get(0));
    Optional<String> argument = argument(container);
    int replicas = Objects.requireNonNullElse(deployment.getSpec().getReplicas(), 1);
    DeploymentStatus status =
        Objects.requireNonNullElseGet(deployment.getStatus(), DeploymentStatus::new);
    return new OperatorDeployment(
        deployment.getMetadata().getNamespace(),
        deployment.getMetadata().getName(),
        String.valueOf(container.getImage()),
        replicas,
        count(status.getReadyReplicas()),
        Objects.equals(status.getObservedGeneration(), deployment.getMetadata().getGeneration())
            && count(status.getUpdatedReplicas()) == replicas
            && count(status.getReplicas()) == replicas,
        container.getName(),
        argument.or(() -> variable(container)),
        argument.isPresent());
  }

  private static int count(@Nullable Integer number) {
    return number == null ? 0 : number;
  }

  private static Optional<String> variable(Container container) {
    return container.getEnv().stream()
        .filter(each -> each.getName().equals(VARIABLE))
        .map(EnvVar::getValue)
        .filter(Objects::nonNull)
        .reduce((first, last) -> last);
  }

  /** The last one counts. */
  private static Optional<String> argument(Container container) {
    List<String> words = new ArrayList<>(container.getCommand());
    words.addAll(container.getArgs());
    Optional<String> value = Optional.empty();
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      if (word.startsWith(IPAM + '=')) {
        value = Optional.of(word.substring(IPAM.length() + 1));
      } else if (word.equals(IPAM) && i + 1 < words.size()) {
        value = Optional.of(words.get(i + 1));
      }
    }
    return value;
  }
}
