for await (const chunk of stream) write(chunk);
