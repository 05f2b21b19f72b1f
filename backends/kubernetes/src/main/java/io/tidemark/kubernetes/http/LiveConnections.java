package io.tidemark.kubernetes.http;

import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.tidemark.time.TaskScheduler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.http.HttpClient;

/**
 * Gives the Kubernetes client library an HTTP client that notices dead connections: a WebSocket
 * that does not answer a ping ends with an error, and requests that time out with nothing answered
 * meanwhile are followed by new connections. Thread-safe.
 */
public final class LiveConnections extends JdkHttpClientFactory {
  private final TaskScheduler scheduler;
  private final SocketPace pace;

  /**
   * Connects to nothing.
   *
   * @param scheduler looks at each WebSocket
   */
  public LiveConnections(TaskScheduler scheduler, SocketPace pace) {
    this.scheduler = scheduler;
    this.pace = pace;
  }

  /** The JDK's builder, whichever methods it has, but that it builds a client of ours. */
  @Override
  protected HttpClient.Builder createNewHttpClientBuilder() {
    HttpClient.Builder builder = super.createNewHttpClientBuilder();
    return (HttpClient.Builder)
        Proxy.newProxyInstance(
            LiveConnections.class.getClassLoader(),
            new Class<?>[] {HttpClient.Builder.class},
            (self, method, values) -> {
              if (method.getName().equals("build")) {
                return new LiveHttpClient(builder::build, scheduler, pace);
              }
              try {
                Object answer = method.invoke(builder, values);
                return answer == builder ? self : answer;
              } catch (InvocationTargetException e) {
                throw e.getCause() == null ? e : e.getCause();
              }
            });
  }
}
