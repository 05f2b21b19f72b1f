package io.tidemark.daemon.ipamd.introspection;

import io.tidemark.datastore.DataStore;
import io.tidemark.datastore.cloud.PoolReconciler;
import io.tidemark.ip.IpFamily;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** The documents of {@code ipamd}, by the paths that the AWS VPC CNI gives them, and ours. */
public final class Introspection {
  /** The interfaces, as the AWS VPC CNI shows them. */
  private static final String ENIS = "/v1/enis";

  private static final String IPAMD_SETTINGS = "/v1/ipamd-env-settings";
  private static final String NETWORK_SETTINGS = "/v1/networkutils-env-settings";

  private static final String PLAN = "/v1/plan";

  /** The number of the node's network card, by which documents name it. */
  static final String CARD = "0";

  private Introspection() {}

  /**
   * The documents, as JSON. Making one never blocks.
   *
   * @param family of the addresses of pods
   * @param never why the node never gets more addresses and none are given back, for people; empty
   *     when it does
   * @param pool how the pool stands, from any thread at any time; empty while that is not known
   * @param settings those that the daemon of the AWS VPC CNI has, by their names
   * @param networkSettings those of them that are about the network of the host
   */
  public static Map<String, Supplier<String>> documents(
      DataStore store,
      IpFamily family,
      Optional<String> never,
      Supplier<Optional<PoolReconciler.Status>> pool,
      Map<String, Object> settings,
      Map<String, Object> networkSettings) {
    Map<String, Supplier<String>> documents = new LinkedHashMap<>();
    String commands =
        ValuesJson.print(
            Map.of("AvailableCommands", List.of(ENIS, NETWORK_SETTINGS, IPAMD_SETTINGS, PLAN)));
    String ours = ValuesJson.print(settings);
    String network = ValuesJson.print(networkSettings);
    documents.put("/", () -> commands);
    documents.put(ENIS, () -> EnisJson.print(store.snapshot()));
    documents.put(IPAMD_SETTINGS, () -> ours);
    documents.put(NETWORK_SETTINGS, () -> network);
    documents.put(PLAN, () -> PlanJson.print(store.view(), family, never, pool.get()));
    return documents;
  }
}
