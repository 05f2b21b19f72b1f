package io.tidemark.daemon.ipamd.introspection;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.DatastoreStats;
import io.tidemark.datastore.PoolView;
import io.tidemark.datastore.cloud.PoolReconciler.Status;
import io.tidemark.datastore.plan.PoolPlan;
import io.tidemark.datastore.plan.PoolPlan.Growth;
import io.tidemark.demand.DemandWatermarks;
import io.tidemark.ip.IpFamily;
import java.util.Locale;
import java.util.Optional;

/**
 * The plan for the network card, and the numbers of the family of pods that the plan is made from.
 */
final class PlanJson {
  private PlanJson() {}

  static String print(
      PoolView view, IpFamily family, Optional<String> never, Optional<Status> pool) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("family", family.toString());
    json.put("grows", never.isEmpty());
    never.ifPresent(reason -> json.put("reason", reason));
    ObjectNode card = json.putObject("cards").putObject(Introspection.CARD);
    numbers(card, view, family);
    pool.ifPresent(it -> plan(card, it.plan()));
    pool.flatMap(Status::spare).ifPresent(it -> spare(card.putObject("spare"), it));
    return json.toString();
  }

  private static void numbers(ObjectNode json, PoolView view, IpFamily family) {
    DatastoreStats stats = view.stats(family);
    boolean prefixes = view.mode() == CidrKind.PREFIX;
    json.put("assignsFrom", prefixes ? "prefixes" : "secondary-addresses");
    json.put("interfaces", view.enis().size());
    json.put("total", stats.total());
    json.put("assigned", stats.assigned());
    json.put("cooling", stats.cooling());
    json.put("usable", stats.usable());
  }

  private static void plan(ObjectNode json, PoolPlan plan) {
    json.put("short", plan.shortBy());
    json.put("over", plan.overBy());
    growth(json.putObject("growth"), plan.growth());
    json.put("looksForUnusedInterface", plan.askRemoval());
    ObjectNode pending = json.putObject("pending");
    plan.pending().enis().forEach(pending.putArray("interfaces")::add);
    pending.put("addresses", plan.pending().addresses());
    pending.put("cooling", plan.pending().cooling());
  }

  private static void spare(ObjectNode json, DemandWatermarks demand) {
    json.put("low", demand.low());
    json.put("target", demand.target());
    json.put("high", demand.high());
    json.put("leadTimeSeconds", demand.leadTime().toMillis() / 1000.0);
    json.put("basis", demand.basis().name().toLowerCase(Locale.ROOT).replace('_', '-'));
  }

  private static void growth(ObjectNode json, Growth growth) {
    if (growth instanceof Growth.OnEni more) {
      json.put("step", "more-on-interface");
      json.put("interface", more.eniId());
      json.put("count", more.count());
    } else if (growth instanceof Growth.NewEni more) {
      json.put("step", "new-interface");
      json.put("count", more.count());
    } else if (growth instanceof Growth.None) {
      json.put("step", "none");
    } else {
      json.put("step", growth instanceof Growth.Waits ? "waits" : "exhausted");
    }
  }
}
