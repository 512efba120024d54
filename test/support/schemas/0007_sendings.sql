UPDATE kv SET value = value || '["a9dc0efb4fe2444e4defc517bce362373ee703181e909dff9a1cd5e4350b485b"]' WHERE key = 'migrations';
