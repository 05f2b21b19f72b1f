package io.tidemark.daemon.ipamd.introspection;

import com.fasterxml.jackson.core.JsonGenerator;
import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.DatastoreStats;
import io.tidemark.datastore.MultiCardStore;
import io.tidemark.datastore.PoolView;
import io.tidemark.datastore.plan.Pending;
import io.tidemark.datastore.plan.PoolPlan;
import io.tidemark.datastore.plan.PoolPlan.Growth;
import io.tidemark.ip.IpFamily;
import java.io.IOException;
import java.util.Optional;

/**
 * The plan for each network card, and the numbers of the family of pods that the plan is made from.
 */
final class PlanJson {
  private PlanJson() {}

  static String print(MultiCardStore stores, IpFamily family, CardPlans plans) {
    return IntrospectionJson.object(
        json -> {
          json.writeStringField("family", family.toString());
          json.writeBooleanField("grows", plans instanceof CardPlans.Planned);
          if (plans instanceof CardPlans.Never never) {
            json.writeStringField("reason", never.reason());
          }
          json.writeObjectFieldStart("cards");
          for (int number : stores.numbers()) {
            json.writeObjectFieldStart(Integer.toString(number));
            numbers(json, stores.card(number).orElseThrow().view(), family);
            Optional<PoolPlan> plan =
                plans instanceof CardPlans.Planned planned
                    ? planned.planner().apply(number)
                    : Optional.empty();
            if (plan.isPresent()) {
              plan(json, plan.get());
            }
            json.writeEndObject();
          }
          json.writeEndObject();
        });
  }

  private static void numbers(JsonGenerator json, PoolView view, IpFamily family)
      throws IOException {
    DatastoreStats stats = view.stats(family);
    json.writeStringField(
        "assignsFrom", view.mode() == CidrKind.PREFIX ? "prefixes" : "secondary-addresses");
    json.writeNumberField("interfaces", view.enis().size());
    json.writeNumberField("total", stats.total());
    json.writeNumberField("assigned", stats.assigned());
    json.writeNumberField("cooling", stats.cooling());
    json.writeNumberField("usable", stats.usable());
  }

  private static void plan(JsonGenerator json, PoolPlan plan) throws IOException {
    json.writeNumberField("short", plan.shortBy());
    json.writeNumberField("over", plan.overBy());
    json.writeObjectFieldStart("growth");
    growth(json, plan.growth());
    json.writeEndObject();
    json.writeBooleanField("looksForUnusedInterface", plan.askRemoval());
    Pending pending = plan.pending();
    json.writeObjectFieldStart("pending");
    json.writeArrayFieldStart("interfaces");
    for (String eni : pending.enis()) {
      json.writeString(eni);
    }
    json.writeEndArray();
    json.writeNumberField("addresses", pending.addresses());
    json.writeNumberField("cooling", pending.cooling());
    json.writeEndObject();
  }

  private static void growth(JsonGenerator json, Growth growth) throws IOException {
    if (growth instanceof Growth.OnEni more) {
      json.writeStringField("step", "more-on-interface");
      json.writeStringField("interface", more.eniId());
      json.writeNumberField("count", more.count());
    } else if (growth instanceof Growth.NewEni more) {
      json.writeStringField("step", "new-interface");
      json.writeNumberField("count", more.count());
    } else {
      json.writeStringField(
          "step",
          growth instanceof Growth.None
              ? "none"
              : growth instanceof Growth.Waits ? "waits" : "exhausted");
    }
  }
}
